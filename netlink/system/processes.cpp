// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <linux/capability.h>

#include <charconv>
#include <map>
#include <sstream>

#include "netlink/files/text_file.hpp"
#include "netlink/rdma/codecs.hpp"

namespace netlink {
namespace {

/// `hca_object of mlx5_0`, and its number; what has no limit is "max" and not there.
std::map<std::string, std::uint64_t> numbers_in(std::string_view text) {
    std::map<std::string, std::uint64_t> out;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string device;
        words >> device;
        for (std::string word; words >> word;) {
            const std::size_t sign = word.find('=');
            if (sign == std::string::npos) continue;
            std::uint64_t number = 0;
            const char* const end = word.data() + word.size();
            const auto read = std::from_chars(word.data() + sign + 1, end, number);
            if (read.ec == std::errc() && read.ptr == end)
                out.emplace(word.substr(0, sign).append(" of ").append(device), number);
        }
    }
    return out;
}

double part(std::uint64_t used, std::uint64_t limit) {
    return limit == 0 ? 1 : static_cast<double>(used) / static_cast<double>(limit);
}

/// The path of the second hierarchy, the only one with the controller where both are in use.
std::string unified(std::string_view groups) {
    std::istringstream lines{std::string(groups)};
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("0::/")) return line.substr(4);
    return {};
}

}  // namespace

void add_rdma_limit(std::string_view limits, std::string_view used, core::Process& process) {
    const auto has = numbers_in(used);
    for (const auto& [object, limit] : numbers_in(limits)) {
        const auto known = has.find(object);
        const std::uint64_t held = known == has.end() ? 0 : known->second;
        if (!process.rdma_object.empty() &&
            part(held, limit) <= part(process.rdma_used, process.rdma_limit))
            continue;
        process.rdma_object = object;
        process.rdma_used = held;
        process.rdma_limit = limit;
    }
}

void read_rdma_limit(const Machine& machine, std::string_view groups, core::Process& process) {
    const HostPath root = machine.file("/sys/fs/cgroup");
    for (std::filesystem::path group = unified(groups); !group.empty();
         group = group.parent_path()) {
        const std::string limits = read_if_there(root / group / "rdma.max").value_or("");
        if (!limits.empty())
            add_rdma_limit(limits, read_if_there(root / group / "rdma.current").value_or(""),
                           process);
    }
}

namespace {

HostPath folder_of(const Machine& machine, std::uint32_t process) {
    return machine.file("/proc") / std::to_string(process);
}

/// Whether it is root of this host where it is root: who is root of a container is not.
bool shares_users(const Machine& machine, const HostPath& process) {
    return read_if_there(process / "uid_map") == read_if_there(machine.file("/proc/self/uid_map"));
}

core::Process described(const Machine& machine, std::uint32_t id, const std::string& name) {
    core::Process out;
    out.id = id;
    out.name = name;
    const HostPath folder = folder_of(machine, id);
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
        const HostPath folder = folder_of(machine, id);
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
