// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/objects/ip/parts.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// What a link of RTM_GETLINK says of its files; nothing of what they may say otherwise. The
/// numbers are in the order of core::kJointFiles (IFLA_INET_CONF, net/ipv4/devinet.c
/// inet_fill_link_af, and IFLA_INET6_ADDR_GEN_MODE).
struct IpConf {
    std::optional<std::array<std::int32_t, core::kJointFiles.size()>> ipv4{};
    std::optional<std::uint8_t> addr_gen_mode{};
    bool operator==(const IpConf&) const = default;
};
IpConf decode_ip_conf(Bytes payload);

/// Each port's files under /proc/sys/net/ipv4/conf and, once for all of them, the host's, and
/// those under /proc/sys/net/ipv6/conf; a kernel without IPv6 on the port is EOPNOTSUPP. Of all
/// ports of a host a dump of the links says the same.
void read_ip_conf(Machine& machine, const core::Scope& scope, core::State& state);
/// What of these objects the kernel gives a port that is made now.
void read_ip_of_new(Machine& machine, const core::Objects& objects, core::Port& port);
void write_ipv4(Machine& machine, const core::Port& now, const core::Port& then);
void write_ipv6(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
