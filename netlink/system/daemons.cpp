// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <set>
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

/// Which of the names processes of root have, by one walk over all processes.
std::set<std::string_view> run_by_root(const Machine& machine,
                                       const std::set<std::string_view>& names) {
    std::set<std::string_view> out;
    int failure = 0;
    const HostPath processes = machine.file("/proc");
    for (const std::string& number : names_in(processes, &failure)) {
        if (!core::is_all_digits(number)) continue;
        try {
            const HostPath process = processes / number;
            const auto name = names.find(read_text_file(process / "comm"));
            if (name != names.end() && is_roots(process)) out.insert(*name);
        } catch (const KernelError&) {
            continue;  // it has ended
        }
        if (out.size() == names.size()) return out;
    }
    if (failure != 0) throw KernelError(failure, "/proc");
    return out;
}

std::string tuned_profile(const Machine& machine) {
    try {
        return read_text_file(machine.file("/etc/tuned/active_profile"));
    } catch (const KernelError& error) {
        if (error.code != ENOENT) throw;
    }
    return {};
}

}  // namespace

bool root_runs(const Machine& machine, std::string_view name) {
    return !run_by_root(machine, {name}).empty();
}

void read_daemons(Machine& machine, const core::Scope& scope, core::State& state) {
    using enum core::Object;
    core::Port& itself = state.ports.front();
    itself.tuned.emplace();
    attempt(itself, {irqbalance, tuned}, [&] {
        const auto running = run_by_root(machine, {"irqbalance", "tuned"});
        itself.irqbalance = running.contains("irqbalance");
        if (!scope.objects.contains(tuned) || !running.contains("tuned")) return;
        attempt(itself, {tuned}, [&] { itself.tuned = tuned_profile(machine); });
    });
}

}  // namespace netlink
