// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/processes.hpp"

#include <linux/capability.h>

#include <charconv>

#include "netlink/files/text_file.hpp"
#include "netlink/rdma/queue_pairs.hpp"
#include "netlink/system/memlock.hpp"
#include "netlink/system/rdma_limit.hpp"

namespace netlink {
namespace {

std::filesystem::path folder_of(const Machine& machine, std::uint32_t process) {
    return machine.file("/proc") / std::to_string(process);
}

/// Whether it is root of this host where it is root: who is root of a container is not.
bool shares_users(const Machine& machine, const std::filesystem::path& process) {
    return read_if_there(process / "uid_map") == read_if_there(machine.file("/proc/self/uid_map"));
}

core::Process described(const Machine& machine, std::uint32_t id, const std::string& name) {
    core::Process out;
    out.id = id;
    out.name = name;
    const std::filesystem::path folder = folder_of(machine, id);
    out.memlock = memlock_in_limits(read_if_there(folder / "limits").value_or("")).value_or("");
    // drivers/infiniband/core/umem.c ib_umem_get: capable(CAP_IPC_LOCK) in the first user namespace
    out.may_exceed = has_capability(read_if_there(folder / "status").value_or(""), CAP_IPC_LOCK) &&
                     shares_users(machine, folder);
    read_rdma_limit(machine, read_if_there(folder / "cgroup").value_or(""), out);
    return out;
}

}  // namespace

bool has_capability(std::string_view status, unsigned capability) {
    constexpr std::string_view heading = "\nCapEff:\t";
    const std::size_t at = status.find(heading);
    if (at == std::string_view::npos) return false;
    const char* start = status.data() + at + heading.size();
    std::uint64_t bits = 0;
    constexpr int base = 16;
    std::from_chars(start, status.data() + status.size(), bits, base);
    return ((bits >> capability) & 1U) != 0;
}

void read_processes(Machine& machine, const Names& /*names*/, core::Port& itself) {
    core::Processes found;
    for (const std::uint32_t id : rdma_users(machine)) {
        const auto name = read_if_there(folder_of(machine, id) / "comm");
        if (name) found.push_back(described(machine, id, *name));
    }
    itself.processes = std::move(found);
}

void read_environments(Machine& machine, const Names& /*names*/, core::Port& itself) {
    core::Environments found;
    for (const std::uint32_t id : rdma_users(machine)) {
        const std::filesystem::path folder = folder_of(machine, id);
        const auto name = read_if_there(folder / "comm");
        const auto environment = read_if_there(folder / "environ");
        if (!name || !environment) continue;
        for (std::size_t at = 0; at < environment->size();) {
            const std::size_t end = std::min(environment->find('\0', at), environment->size());
            const std::string_view one = std::string_view(*environment).substr(at, end - at);
            at = end + 1;
            if (!core::environments::is_kept(one)) continue;
            const std::size_t sign = one.find('=');
            found.push_back({.process = id,
                             .program = *name,
                             .name = std::string(one.substr(0, sign)),
                             .value = std::string(one.substr(sign + 1))});
        }
    }
    itself.environments = std::move(found);
}

}  // namespace netlink
