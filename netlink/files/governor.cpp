// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <cerrno>

#include "netlink/files/text_file.hpp"

// Documentation/admin-guide/pm/cpufreq.rst

namespace netlink {
namespace {

HostPath policies(const Machine& machine) {
    return machine.file("/sys/devices/system/cpu/cpufreq");
}

}  // namespace

void read_governor(Machine& machine, const Names& /*names*/, core::Port& itself) {
    core::Governors governors;
    for (const std::string& policy : names_in(policies(machine)))
        if (policy.starts_with("policy"))
            governors[policy] = read_text_file(policies(machine) / policy / "scaling_governor");
    if (governors.empty()) throw KernelError(EOPNOTSUPP, "no cpufreq on this host");
    itself.governor = std::move(governors);
}

void write_governor(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.governor || !then.governor) throw KernelError(ENODEV);
    for (const auto& [policy, governor] : *now.governor) {
        const auto desired = then.governor->find(policy);
        if (desired != then.governor->end() && desired->second != governor)
            write_text_file(policies(machine) / policy / "scaling_governor", desired->second);
    }
}

}  // namespace netlink
