// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ip.hpp"

namespace core {

/// A number of which the kernel uses the larger of the port's and the host's own
/// (IN_DEV_MAXCONF and IN_DEV_ORCONF, include/linux/inetdevice.h): net.ipv4.conf.PORT and .all.
struct Joint {
    std::uint8_t own = 0;
    std::uint8_t all = 0;
    [[nodiscard]] std::uint8_t in_force() const { return own > all ? own : all; }
    bool operator==(const Joint&) const = default;
};

struct Ipv4 {
    Joint arp_ignore;
    Joint arp_announce;
    Joint rp_filter;
    Joint accept_local;
    bool operator==(const Ipv4&) const = default;
};

struct Ipv6 {
    std::uint8_t addr_gen_mode = 0;  ///< IN6_ADDR_GEN_MODE_* (include/uapi/linux/if_link.h)
    bool operator==(const Ipv6&) const = default;
};

struct Address {
    Ip ip;
    std::uint8_t prefix_length = 0;
    bool by_kernel = false;  ///< link-local or SLAAC: a fact, never removed
    bool operator==(const Address&) const = default;
};

/// A unicast route out of the port. Identity is (table, to, metric). Which routes the kernel made
/// itself follows from the addresses (made_by_kernel in core/model/field.hpp).
struct Route {
    Prefix to;
    std::uint32_t table = 254;
    std::uint32_t metric = 0;
    std::optional<Ip> via{};
    std::optional<Ip> source{};
    std::uint8_t scope = 0;
    std::uint8_t protocol = 4;  ///< RTPROT_STATIC
    std::uint32_t mtu = 0;      ///< 0: none stated
    bool operator==(const Route&) const = default;
};

/// Which hardware address an IP on the link has. Only permanent ones are stated; the others come
/// and go by themselves.
struct Neighbour {
    Ip ip;
    std::string mac{};                ///< empty while nobody has answered
    std::string state = "permanent";  ///< as ip-neighbour(8) names it
    [[nodiscard]] bool is_permanent() const { return state == "permanent"; }
    bool operator==(const Neighbour&) const = default;
};

/// A rule that looks a packet up in a routing table. Identity is the selectors and the priority.
struct Rule {
    bool v6 = false;
    std::optional<Prefix> from{};
    std::optional<Prefix> to{};
    std::string iif{};  ///< empty for any
    std::string oif{};
    std::uint32_t fwmark = 0;
    std::uint32_t fwmask = 0;  ///< 0: the mark is not looked at
    std::uint8_t tos = 0;      ///< 0 for any
    std::uint32_t priority = 32765;
    std::uint32_t table = 254;
    std::uint8_t protocol = 0;  ///< RTPROT_UNSPEC
    bool operator==(const Rule&) const = default;
};

/// What an address, or a neighbour, has that no setting holds (a peer, a label, flags), in the
/// words of ip(8). It cannot be put back.
struct AddressBeyond {
    Ip ip;
    std::string what;
    bool operator==(const AddressBeyond&) const = default;
};

/// The same of a route. One that `Route` cannot describe at all (several next hops, a tunnel, a
/// type of service) is only here, with as much of it as a route has.
struct RouteBeyond {
    Route route;
    std::string what;
    bool operator==(const RouteBeyond&) const = default;
};

/// A rule that `Rule` does not describe (another action, other selectors), with as much of it as a
/// rule has.
struct RuleBeyond {
    Rule rule;
    std::string what;
    bool operator==(const RuleBeyond&) const = default;
};

}  // namespace core
