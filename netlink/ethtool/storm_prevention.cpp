// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>

namespace netlink {
namespace {

void exchange(Machine& machine, const std::string& port, Tunable& tunable) {
    ifreq request{};
    port.copy(request.ifr_name, sizeof(request.ifr_name) - 1);
    request.ifr_data = reinterpret_cast<char*>(tunable.data());
    if (ioctl(machine.control(), SIOCETHTOOL, &request) < 0) throw KernelError(errno);
}

}  // namespace

Tunable storm_tunable(std::uint32_t command, std::uint16_t timeout) {
    ethtool_tunable head{};
    head.cmd = command;
    head.id = ETHTOOL_PFC_PREVENTION_TOUT;
    head.type_id = ETHTOOL_TUNABLE_U16;
    head.len = sizeof(timeout);
    Tunable tunable{};
    std::memcpy(tunable.data(), &head, sizeof(head));
    std::memcpy(tunable.data() + sizeof(head), &timeout, sizeof(timeout));
    return tunable;
}

std::uint16_t number_in(const Tunable& tunable) {
    std::uint16_t number = 0;
    std::memcpy(&number, tunable.data() + sizeof(ethtool_tunable), sizeof(number));
    return number;
}

void read_storm_prevention(Machine& machine, core::Port& port) {
    Tunable tunable = storm_tunable(ETHTOOL_GTUNABLE, 0);
    try {
        exchange(machine, port.name, tunable);
    } catch (const KernelError& error) {
        // So a driver with other tunables answers for those it does not know: the kernel itself
        // has checked the request (ethtool_tunable_valid in net/ethtool/ioctl.c).
        if (error.code != EINVAL) throw;
        throw KernelError(EOPNOTSUPP, "the driver does not know the tunable pfc-prevention-tout");
    }
    port.storm_prevention = core::StormPrevention{.timeout = number_in(tunable)};
}

void write_storm_prevention(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.storm_prevention || !then.storm_prevention) throw KernelError(EOPNOTSUPP);
    Tunable tunable = storm_tunable(ETHTOOL_STUNABLE, then.storm_prevention->timeout);
    exchange(machine, now.name, tunable);
}

}  // namespace netlink
