// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/ip.hpp"

namespace core {

struct Driver;
struct Played;
struct Port;
struct Refusal;
struct State;

/// A sysctl that the kernel takes as the maximum of net.ipv4.conf.PORT and .all (IN_DEV_MAXCONF and
/// IN_DEV_ORCONF, include/linux/inetdevice.h). The kernel accepts any 32-bit number, negative ones
/// too.
struct Joint {
    std::int32_t own = 0;
    std::int32_t all = 0;
    [[nodiscard]] std::int32_t in_force() const { return own > all ? own : all; }
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

/// A file of net.ipv4.conf and the member that holds its value.
struct JointFile {
    std::string_view name;
    Joint Ipv4::*value;
};

/// Documentation/networking/ip-sysctl.rst.
inline constexpr std::array kJointFiles = {
    JointFile{"arp_ignore", &Ipv4::arp_ignore}, JointFile{"arp_announce", &Ipv4::arp_announce},
    JointFile{"rp_filter", &Ipv4::rp_filter}, JointFile{"accept_local", &Ipv4::accept_local}};

/// The refusal to write anything to a VLAN or bond that does not exist yet; nothing for other
/// ports.
std::optional<Refusal> not_made_yet(const Port& now);

/// The sysctl(8) command that writes one file of the port, with `/` between the words where the
/// port's name contains a dot.
std::string spell_write(const Port& port, std::string_view family, std::string_view name,
                        std::int64_t value);

/// The broadcast address of an IPv4 address, or none, in four bytes: a host may have half a million
/// addresses.
class Broadcast {
public:
    Broadcast() = default;
    Broadcast(const std::optional<Ip>& ip) {  // NOLINT(google-explicit-constructor)
        if (ip) std::copy_n(ip->bytes.begin(), bytes_.size(), bytes_.begin());
    }
    explicit operator bool() const { return *this != Broadcast(); }
    Ip operator*() const {
        Ip out;
        std::ranges::copy(bytes_, out.bytes.begin());
        return out;
    }
    bool operator==(const Broadcast&) const = default;

private:
    std::array<std::uint8_t, 4> bytes_{};
};

/// As small as it can be, as Broadcast is.
struct Address {
    Ip ip;
    std::uint8_t prefix_length = 0;
    bool by_kernel : 1 = false;  ///< link-local or SLAAC: a fact, never removed
    bool duplicate : 1 = false;  ///< another host on the link uses it (IFA_F_DADFAILED)
    /// No new connection gets it as its source: it has a preferred lifetime of 0, and lasts for
    /// ever (net/ipv4/devinet.c set_ifa_lifetime, net/ipv6/addrconf.c inet6_addr_modify).
    bool deprecated : 1 = false;
    /// A link-local one that a program added. It is by_kernel as those are that the kernel made,
    /// but the kernel does not make it again.
    bool by_hand : 1 = false;
    /// IPv4's, where one is set (IFA_BROADCAST). The kernel sets none by itself.
    Broadcast broadcast{};
    bool operator==(const Address&) const = default;
};

/// Attributes of an address or neighbour that no setting holds (a peer, a label, flags), in ip(8)'s
/// words. They cannot be put back.
struct AddressBeyond {
    Ip ip;
    std::string what;
    bool operator==(const AddressBeyond&) const = default;
};

namespace addresses {

/// The network of the address.
Prefix network_of(const Address& address);

/// Whether one of the two IPv4 addresses is in the other's network, so that hosts there resolve
/// both by ARP. Not for a network of two addresses, which is a point-to-point link (RFC 3021).
bool share_network(const Address& one, const Address& other);

/// Removals first. The order of IPv4 addresses tells the primary one of a network from its
/// secondaries; where `then` has those that stay in another order, or with other attributes, they
/// are removed and added again.
std::vector<Edit<Address>> edits(const std::vector<Address>& now, const std::vector<Address>& then);
/// Adds the address where the kernel does: an IPv4 one before the secondaries, unless it is one
/// (net/ipv4/devinet.c __inet_insert_ifa).
void insert(std::vector<Address>& addresses, const Address& address);
/// Removes the addresses for which `gone` is true, and their AddressBeyond.
void lose(Port& port, const std::function<bool(const Ip&)>& gone);

}  // namespace addresses

inline constexpr std::uint32_t kMainTable = 254;   ///< RT_TABLE_MAIN
inline constexpr std::uint32_t kLocalTable = 255;  ///< RT_TABLE_LOCAL

/// A unicast route out of the port. Its identity is (table, to, metric). Routes that the kernel
/// made follow from the addresses (made_by_kernel).
struct Route {
    Prefix to;
    std::uint32_t table = kMainTable;
    std::uint32_t metric = 0;
    std::optional<Ip> via{};
    std::optional<Ip> source{};
    std::uint8_t scope = 0;
    std::uint8_t protocol = 4;  ///< RTPROT_STATIC
    std::uint32_t mtu = 0;      ///< 0: not set
    bool operator==(const Route&) const = default;
};

/// Attributes of a route that `Route` cannot hold, in words. Routes with several next hops, a
/// tunnel or a type of service are here only, with as much as `Route` holds. So are nexthop
/// objects, used by a route or not, as `nexthop ID` of no route.
struct RouteBeyond {
    Route route;
    std::string what;
    bool operator==(const RouteBeyond&) const = default;
};

namespace routes {

/// The identity of a route on the host.
using RouteKey = std::tuple<Prefix, std::uint32_t, std::uint32_t>;
[[nodiscard]] inline RouteKey key_of(const Route& route) {
    return {route.to, route.table, route.metric};
}

/// Whether a routing daemon of the host made the route: it takes care of it by itself, and makes it
/// anew when the link is back (RTPROT_* in include/uapi/linux/rtnetlink.h, Linux 7.3; those from
/// 190 to 198 are FRR's, zebra/rt_netlink.h of FRR 10).
[[nodiscard]] bool is_of_daemon(const Route& route);

/// The on-link networks among routes, searched by their prefix lengths for the network of a
/// gateway.
class Reached {
public:
    /// Adds a route. One with a gateway is not on link and is ignored.
    void add(const Route& route);
    [[nodiscard]] bool contains(const Ip& gateway) const;

private:
    std::set<Prefix> networks_{};
    std::set<std::pair<bool, std::uint8_t>> lengths_{};
};

/// Calls `take` for each route out of the port that packets without a type of service may take,
/// whatever their source: those in `routes`, and of `routes_beyond` those with several next hops, a
/// tunnel, or a nexthop object, as all routes of FRR have. Routes with several next hops are passed
/// without a gateway.
void each_open(const Port& port, const std::function<void(const Route&)>& take);

std::vector<Edit<Route>> edits(const std::vector<Route>& now, const std::vector<Route>& then);
/// Removes the routes for which `gone` is true, and their RouteBeyond.
void lose(Port& port, const std::function<bool(const Route&)>& gone);
/// Removes the nexthop objects of the port, as the kernel does where it goes down
/// (net/ipv4/nexthop.c nexthop_flush_dev). They outlive its addresses.
void lose_nexthops(Port& port);
/// Adds the missing connected routes of the port's addresses, as the kernel does when an address is
/// added or the port comes up.
void connect(Port& port);

}  // namespace routes

/// The MAC address of an IP address on the link. Only permanent entries are settings; the others
/// come and go by themselves.
struct Neighbour {
    Ip ip;
    std::string mac{};                ///< empty while not resolved
    std::string state = "permanent";  ///< as ip-neighbour(8) names it
    [[nodiscard]] bool is_permanent() const { return state == "permanent"; }
    bool operator==(const Neighbour&) const = default;
};

using NeighbourBeyond = AddressBeyond;

namespace neighbours {

/// The edits that lead from one table to the other, permanent neighbours only.
std::vector<Edit<Neighbour>> edits(const std::vector<Neighbour>& now,
                                   const std::vector<Neighbour>& then);
/// Removes the neighbours for which `gone` is true, permanent or not.
void lose(Port& port, const std::function<bool(const Ip&)>& gone);

}  // namespace neighbours

/// A routing policy rule. Its identity is its selectors and its priority.
struct Rule {
    bool v6 = false;
    std::optional<Prefix> from{};
    std::optional<Prefix> to{};
    std::string iif{};  ///< empty: any
    std::string oif{};
    std::uint32_t fwmark = 0;
    std::uint32_t fwmask = 0;  ///< 0: the mark is not matched
    std::uint8_t tos = 0;      ///< 0: any
    std::uint32_t priority = 32765;
    std::uint32_t table = 254;
    std::uint8_t protocol = 0;  ///< RTPROT_UNSPEC
    auto operator<=>(const Rule&) const = default;
};

/// A rule with an action or selectors that `Rule` cannot hold, with as much as `Rule` holds.
struct RuleBeyond {
    Rule rule;
    std::string what;
    bool operator==(const RuleBeyond&) const = default;
};

namespace rules {

std::vector<Edit<Rule>> edits(const std::vector<Rule>& now, const std::vector<Rule>& then);
/// Why a removal might hit another rule than this one; nothing where it cannot.
std::optional<Refusal> removal_refused(const Port& host, const Rule& rule);

}  // namespace rules

}  // namespace core
