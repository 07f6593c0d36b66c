// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <sstream>

#include "core/model/letters.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// Real and effective user of a process (proc(5), status). Its name is its own choice, and who owns
/// /proc/PID depends on whether it can be dumped; these it cannot choose.
bool is_roots(const HostPath& process) {
    std::istringstream status(read_text_file(process / "status"));
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("Uid:")) continue;
        std::istringstream users(line.substr(4));
        std::uint64_t real = 1;
        std::uint64_t effective = 1;
        users >> real >> effective;
        return real == 0 && effective == 0;
    }
    return false;
}

}  // namespace

bool root_runs(const Machine& machine, std::string_view name) {
    int failure = 0;
    const HostPath processes = machine.file("/proc");
    for (const std::string& number : names_in(processes, &failure)) {
        if (!core::is_all_digits(number)) continue;
        try {
            const HostPath process = processes / number;
            if (read_text_file(process / "comm") == name && is_roots(process)) return true;
        } catch (const KernelError&) {
            continue;  // it has ended
        }
    }
    if (failure != 0) throw KernelError(failure, "/proc");
    return false;
}

void read_irqbalance(Machine& machine, const Names& /*names*/, core::Port& itself) {
    itself.irqbalance = root_runs(machine, "irqbalance");
}

void read_tuned(Machine& machine, const Names& /*names*/, core::Port& itself) {
    itself.tuned.emplace();
    if (!root_runs(machine, "tuned")) return;
    try {
        itself.tuned = read_text_file(machine.file("/etc/tuned/active_profile"));
    } catch (const KernelError& error) {
        if (error.code != ENOENT) throw;
    }
}

}  // namespace netlink
