// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// A number of which the kernel uses the larger of the port's and the host's own
/// (IN_DEV_MAXCONF and IN_DEV_ORCONF, include/linux/inetdevice.h): net.ipv4.conf.PORT and .all. The
/// kernel takes any number of 32 bits there, below 0 too.
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

/// One file of net.ipv4.conf, and the value that is in it.
struct JointFile {
    std::string_view name;
    Joint Ipv4::*value;
};

/// Documentation/networking/ip-sysctl.rst.
inline constexpr std::array kJointFiles = {
    JointFile{"arp_ignore", &Ipv4::arp_ignore}, JointFile{"arp_announce", &Ipv4::arp_announce},
    JointFile{"rp_filter", &Ipv4::rp_filter}, JointFile{"accept_local", &Ipv4::accept_local}};

/// Nothing can be written of a VLAN or a bond before it is made.
std::optional<Refusal> not_made_yet(const Port& now);

/// The sysctl(8) line that writes one file of the port's; `/` parts the name where the port's own
/// name has a dot.
std::string spell_write(const Port& port, std::string_view family, std::string_view name,
                        std::int64_t value);

struct Address {
    Ip ip;
    std::uint8_t prefix_length = 0;
    bool by_kernel = false;  ///< link-local or SLAAC: a fact, never removed
    bool duplicate = false;  ///< another host on the link has it (IFA_F_DADFAILED)
    bool operator==(const Address&) const = default;
};

/// What an address, or a neighbour, has that no setting holds (a peer, a label, flags), in the
/// words of ip(8). It cannot be put back.
struct AddressBeyond {
    Ip ip;
    std::string what;
    bool operator==(const AddressBeyond&) const = default;
};

namespace addresses {

/// The network that the address is in.
Prefix network_of(const Address& address);

/// Whether one of the two is in the IPv4 network of the other, so that hosts there ask for both by
/// ARP. A network of two, for a link between two ends, is none (RFC 3021).
bool share_network(const Address& one, const Address& other);

std::vector<Edit<Address>> edits(const std::vector<Address>& now, const std::vector<Address>& then);
/// Takes the addresses of which the predicate is true, with what they have beside.
void lose(Port& port, const std::function<bool(const Ip&)>& gone);

}  // namespace addresses

inline constexpr std::uint32_t kMainTable = 254;   ///< RT_TABLE_MAIN
inline constexpr std::uint32_t kLocalTable = 255;  ///< RT_TABLE_LOCAL

/// A unicast route out of the port. Identity is (table, to, metric). Which routes the kernel made
/// itself follows from the addresses (made_by_kernel in records.hpp).
struct Route {
    Prefix to;
    std::uint32_t table = kMainTable;
    std::uint32_t metric = 0;
    std::optional<Ip> via{};
    std::optional<Ip> source{};
    std::uint8_t scope = 0;
    std::uint8_t protocol = 4;  ///< RTPROT_STATIC
    std::uint32_t mtu = 0;      ///< 0: none stated
    bool operator==(const Route&) const = default;
};

/// What a route has that `Route` cannot describe, in words. A route with several next hops, a
/// tunnel or a type of service is only here, with as much of it as `Route` holds.
struct RouteBeyond {
    Route route;
    std::string what;
    bool operator==(const RouteBeyond&) const = default;
};

namespace routes {

/// What tells a route from the others of the host.
using RouteKey = std::tuple<Prefix, std::uint32_t, std::uint32_t>;
[[nodiscard]] inline RouteKey key_of(const Route& route) {
    return {route.to, route.table, route.metric};
}

/// Which routes on the link are there, so that a gateway is looked for among their lengths.
class Reached {
public:
    /// Notes a route; one with a gateway reaches nothing by itself.
    void add(const Route& route);
    [[nodiscard]] bool contains(const Ip& gateway) const;

private:
    std::set<Prefix> networks_{};
    std::set<std::pair<bool, std::uint8_t>> lengths_{};
};

/// Gives `take` each route out of the port that a packet without a type of service may take,
/// whatever its source: what `routes` holds, and of `routes_beyond` what has several next hops, a
/// tunnel, or the next hop of a nexthop object, as all routes of FRR have. Those of several next
/// hops have no gateway here.
void each_open(const Port& port, const std::function<void(const Route&)>& take);

std::vector<Edit<Route>> edits(const std::vector<Route>& now, const std::vector<Route>& then);
/// Takes the routes of which the predicate is true, with what they have beside.
void lose(Port& port, const std::function<bool(const Route&)>& gone);
/// Adds the connected routes of the port's addresses that are not there, as the kernel does when
/// an address comes or the port comes up.
void connect(Port& port);

}  // namespace routes

/// Which hardware address an IP on the link has. Only permanent ones are stated; the others come
/// and go by themselves.
struct Neighbour {
    Ip ip;
    std::string mac{};                ///< empty while nobody has answered
    std::string state = "permanent";  ///< as ip-neighbour(8) names it
    [[nodiscard]] bool is_permanent() const { return state == "permanent"; }
    bool operator==(const Neighbour&) const = default;
};

using NeighbourBeyond = AddressBeyond;

namespace neighbours {

/// How to get from one neighbour table to another. Only permanent neighbours are edited.
std::vector<Edit<Neighbour>> edits(const std::vector<Neighbour>& now,
                                   const std::vector<Neighbour>& then);
/// Takes the neighbours of which the predicate is true, permanent or not.
void lose(Port& port, const std::function<bool(const Ip&)>& gone);

}  // namespace neighbours

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
    auto operator<=>(const Rule&) const = default;
};

/// A rule that `Rule` does not describe (another action, other selectors), with as much of it as a
/// rule has.
struct RuleBeyond {
    Rule rule;
    std::string what;
    bool operator==(const RuleBeyond&) const = default;
};

namespace rules {

std::vector<Edit<Rule>> edits(const std::vector<Rule>& now, const std::vector<Rule>& then);
/// Why a removal of the rule would not be sure to find it, and not another one.
std::optional<Refusal> removal_refused(const Port& host, const Rule& rule);

}  // namespace rules

}  // namespace core
