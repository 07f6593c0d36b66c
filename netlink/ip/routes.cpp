// SPDX-License-Identifier: Apache-2.0
#include "netlink/ip/codecs.hpp"

#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/edit.hpp"
#include "netlink/ip/links.hpp"

namespace netlink {
namespace {

/// The gateway; of the other family where RTA_VIA says so (an IPv4 route by an IPv6 gateway).
std::optional<core::Ip> gateway_in(const IndexedAttributes& attributes) {
    if (const auto gateway = attributes.find(RTA_GATEWAY)) return ip_of(*gateway);
    const auto via = attributes.find(RTA_VIA);
    if (!via || via->size() < sizeof(std::uint16_t)) return std::nullopt;
    return ip_of(via->subspan(sizeof(std::uint16_t)));
}

/// ip-route(8)'s words for RTAX_* (include/uapi/linux/rtnetlink.h).
constexpr std::array<std::string_view, RTAX_MAX + 1> kMetrics = {
    "",         "lock",    "mtu",      "window",     "rtt",      "rttvar",
    "ssthresh", "cwnd",    "advmss",   "reordering", "hoplimit", "initcwnd",
    "features", "rto_min", "initrwnd", "quickack",   "congctl",  "fastopen_no_cookie"};

/// What makes it another kind of route than `core::Route` describes.
std::string not_described(const rtmsg& header, const IndexedAttributes& attributes) {
    constexpr std::array kKinds = {std::pair{RTA_MULTIPATH, "nexthops"},
                                   std::pair{RTA_ENCAP, "encap"}, std::pair{RTA_NH_ID, "nhid"}};
    std::string words;
    if (header.rtm_tos != 0) add_word(words, "tos " + std::to_string(header.rtm_tos));
    if (header.rtm_src_len != 0) add_word(words, "from");
    for (const auto& [type, word] : kKinds)
        if (attributes.find(type)) add_word(words, word);
    return words;
}

/// What no setting holds of a route that is described.
std::string parts_beside(const rtmsg& header, const IndexedAttributes& attributes) {
    std::string words;
    attributes.nested(RTA_METRICS).for_each([&](int type, Bytes /*value*/) {
        if (type == RTAX_MTU) return;
        add_word(words, type <= RTAX_MAX ? kMetrics.at(static_cast<std::size_t>(type)) : "metrics");
    });
    if (attributes.find(RTA_FLOW)) add_word(words, "realm");
    if (attributes.find(RTA_TTL_PROPAGATE)) add_word(words, "ttl-propagate");
    if (attributes.value<std::uint8_t>(RTA_PREF).value_or(0) != 0) add_word(words, "pref");
    if ((header.rtm_flags & RTNH_F_ONLINK) != 0) add_word(words, "onlink");
    const auto cache = attributes.value<rta_cacheinfo>(RTA_CACHEINFO);
    if (cache && cache->rta_expires != 0) add_word(words, "expires");
    return words;
}

std::vector<std::uint32_t> links_in(const IndexedAttributes& attributes) {
    std::vector<std::uint32_t> links;
    if (const auto link = attributes.value<std::uint32_t>(RTA_OIF)) links.push_back(*link);
    Bytes hops = attributes.find(RTA_MULTIPATH).value_or(Bytes());
    while (const auto hop = header_of<rtnexthop>(hops)) {
        if (hop->rtnh_len < sizeof(rtnexthop) || hop->rtnh_len > hops.size()) break;
        links.push_back(static_cast<std::uint32_t>(hop->rtnh_ifindex));
        hops = hops.subspan(std::min(aligned(hop->rtnh_len), hops.size()));
    }
    return links;
}

/// Whether the destination is one; an IPv4 default route has none.
bool put_destination(const rtmsg& header, const IndexedAttributes& attributes, core::Prefix& to) {
    to.ip.v6 = header.rtm_family == AF_INET6;
    to.length = header.rtm_dst_len;
    const auto bytes = attributes.find(RTA_DST);
    if (!bytes) return to.length == 0;
    const auto ip = ip_of(*bytes);
    if (!ip || ip->v6 != to.ip.v6) return false;
    to.ip = *ip;
    return true;
}

}  // namespace

std::optional<RouteAnswer> decode_route(Bytes payload) {
    const auto header = header_of<rtmsg>(payload);
    if (!header || (header->rtm_family != AF_INET && header->rtm_family != AF_INET6))
        return std::nullopt;
    if (header->rtm_type != RTN_UNICAST || (header->rtm_flags & RTM_F_CLONED) != 0)
        return std::nullopt;
    const IndexedAttributes attributes(Attributes::after<rtmsg>(payload));
    const auto number = [&](int type) { return attributes.value<std::uint32_t>(type); };
    RouteAnswer answer;
    core::Route& route = answer.route;
    route.table = number(RTA_TABLE).value_or(header->rtm_table);
    if (route.table == RT_TABLE_LOCAL || !put_destination(*header, attributes, route.to))
        return std::nullopt;
    answer.links = links_in(attributes);
    if (answer.links.empty()) return std::nullopt;
    route.metric = number(RTA_PRIORITY).value_or(0);
    route.via = gateway_in(attributes);
    route.source = ip_of(attributes.find(RTA_PREFSRC).value_or(Bytes()));
    route.scope = header->rtm_scope;
    route.protocol = header->rtm_protocol;
    route.mtu = attributes.nested(RTA_METRICS).value<std::uint32_t>(RTAX_MTU).value_or(0);
    answer.beyond = not_described(*header, attributes);
    answer.described = answer.beyond.empty();
    if (answer.described) answer.beyond = parts_beside(*header, attributes);
    return answer;
}

namespace {

using RouteEdit = core::Edit<core::Route>;

std::uint8_t family_of(const core::Ip& ip) {
    return static_cast<std::uint8_t>(ip.v6 ? AF_INET6 : AF_INET);
}

void put_gateway(Message& message, const core::Route& route) {
    if (route.via->v6 == route.to.ip.v6) {
        message.put_bytes(RTA_GATEWAY, bytes_of(*route.via));
        return;
    }
    // struct rtvia: the family and then the address (include/uapi/linux/rtnetlink.h).
    const std::uint16_t family = family_of(*route.via);
    std::vector<std::byte> via;
    for (const Bytes part : {std::as_bytes(std::span(&family, 1)), bytes_of(*route.via)})
        via.insert(via.end(), part.begin(), part.end());
    message.put_bytes(RTA_VIA, via);
}

/// A complete description, so that a removal can match this route alone.
Message route_message(int type, int flags, std::uint32_t index, const core::Route& route) {
    Message message(type, flags);
    rtmsg header{};
    header.rtm_family = family_of(route.to.ip);
    header.rtm_dst_len = route.to.length;
    // Tables above 255 are stated in RTA_TABLE alone.
    header.rtm_table = static_cast<std::uint8_t>(route.table < 256 ? route.table : RT_TABLE_UNSPEC);
    header.rtm_protocol = route.protocol;
    header.rtm_scope = route.scope;
    header.rtm_type = RTN_UNICAST;
    message.put_header(header);
    message.put(RTA_TABLE, route.table);
    message.put_bytes(RTA_DST, bytes_of(route.to.ip));
    message.put(RTA_OIF, index);
    message.put(RTA_PRIORITY, route.metric);
    if (route.via) put_gateway(message, route);
    if (route.source) message.put_bytes(RTA_PREFSRC, bytes_of(*route.source));
    if (route.mtu != 0 && type == RTM_NEWROUTE)
        message.nest(RTA_METRICS, [&] { message.put(RTAX_MTU, route.mtu); });
    return message;
}

void send_edit(Machine& machine, std::uint32_t index, const RouteEdit& edit) {
    const bool remove = edit.kind == RouteEdit::Kind::remove;
    const int flags = edit.kind == RouteEdit::Kind::add ? NLM_F_CREATE | NLM_F_EXCL
                                                        : NLM_F_CREATE | NLM_F_REPLACE;
    Message message =
        route_message(remove ? RTM_DELROUTE : RTM_NEWROUTE, remove ? 0 : flags, index, edit.entry);
    try {
        machine.route().change(message);
    } catch (const KernelError& error) {
        // Gone already, for instance with its address.
        if (remove && error.code == ESRCH) return;
        throw;
    }
}

/// What the kernel makes again itself is nobody's loss.
bool by_kernel(const core::Route& route) {
    return route.protocol == RTPROT_KERNEL || route.protocol == RTPROT_RA ||
           route.protocol == RTPROT_REDIRECT;
}

/// What the dump of one family gives to the ports begins behind what another gave.
class RouteSink {
public:
    explicit RouteSink(const Links& links) : links_(links) {
        for (const auto& [index, port] : links.ports)
            start_[port] = {port->routes->size(), port->routes_beyond.size()};
    }
    void forget() {
        for (const auto& [port, size] : start_) {
            port->routes->resize(size.first);
            port->routes_beyond.resize(size.second);
        }
    }
    void take(const RouteAnswer& answer) {
        for (const std::uint32_t index : answer.links)
            if (core::Port* port = links_.find(index)) add_route(*port, answer);
    }

private:
    static void add_route(core::Port& port, const RouteAnswer& answer) {
        if (answer.described) port.routes->push_back(answer.route);
        if (!answer.beyond.empty() && !by_kernel(answer.route))
            port.routes_beyond.push_back({.route = answer.route, .what = answer.beyond});
    }

    const Links& links_;
    std::unordered_map<core::Port*, std::pair<std::size_t, std::size_t>> start_;
};

void take_routes(Machine& machine, const Links& links, int family) {
    Message request(RTM_GETROUTE);
    rtmsg header{};
    header.rtm_family = static_cast<std::uint8_t>(family);
    header.rtm_type = RTN_UNICAST;
    request.put_header(header);
    if (links.only != 0) request.put(RTA_OIF, links.only);
    RouteSink sink(links);
    machine.route().dump(
        request, [&sink] { sink.forget(); },
        [&sink, family](const Reply& reply) {
            // A kernel older than 4.20 does not filter; one without IPv6 answers with IPv4.
            const auto answer = decode_route(reply.payload);
            if (answer && answer->route.to.ip.v6 == (family == AF_INET6)) sink.take(*answer);
        });
}

struct Nexthop {
    std::uint32_t link = 0;
    std::uint32_t id = 0;
    std::uint8_t protocol = 0;  ///< RTPROT_* of who made it
    bool v6 = false;
};

std::optional<Nexthop> decode_nexthop(Bytes payload) {
    const auto header = header_of<nhmsg>(payload);
    const auto attributes = Attributes::after<nhmsg>(payload);
    const auto link = attributes.value<std::uint32_t>(NHA_OIF);
    if (!header || !link) return std::nullopt;
    return Nexthop{.link = *link,
                   .id = attributes.value<std::uint32_t>(NHA_ID).value_or(0),
                   .protocol = header->nh_protocol,
                   .v6 = header->nh_family == AF_INET6};
}

/// The nexthop objects of the ports, used by a route or not: they vanish where a port goes down
/// (net/ipv4/nexthop.c nexthop_flush_dev). A kernel older than 5.3 has none.
void take_nexthops(Machine& machine, const Links& links) {
    Message request(RTM_GETNEXTHOP);
    request.put_header(nhmsg{});
    if (links.only != 0) request.put(NHA_OIF, links.only);
    std::vector<Nexthop> found;
    try {
        found = machine.route().dump<Nexthop>(
            request, [](const Reply& reply) { return decode_nexthop(reply.payload); });
    } catch (const KernelError& error) {
        if (error.code != EOPNOTSUPP) throw;
    }
    for (const Nexthop& nexthop : found) {
        core::Port* port = links.find(nexthop.link);
        if (port == nullptr) continue;
        core::RouteBeyond beyond{.route = {}, .what = "nexthop " + std::to_string(nexthop.id)};
        beyond.route.to.ip.v6 = nexthop.v6;
        if (nexthop.protocol != 0) beyond.route.protocol = nexthop.protocol;
        port->routes_beyond.push_back(std::move(beyond));
    }
}

}  // namespace

void read_routes(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const Links links = links_of(state);
    for (const auto& [index, port] : links.ports)
        port->routes.emplace();
    try {
        take_routes(machine, links, AF_INET);
        take_routes(machine, links, AF_INET6);
        take_nexthops(machine, links);
    } catch (const KernelError&) {
        for (const auto& [index, port] : links.ports)
            port->routes.reset();
        throw;
    }
}

void write_routes(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.link || !now.routes || !then.routes) throw KernelError(ENODEV);
    for (const RouteEdit& edit : core::routes::edits(*now.routes, *then.routes))
        send_edit(machine, now.link->index, edit);
}

}  // namespace netlink
