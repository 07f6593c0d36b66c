// SPDX-License-Identifier: Apache-2.0
#include "netlink/route.hpp"

#include <linux/rtnetlink.h>

#include <cerrno>

#include "core/object/edit.hpp"
#include "netlink/address.hpp"

namespace netlink {
namespace {

using RouteEdit = core::Edit<core::Route>;

std::uint8_t family_of(const core::Ip& ip) {
    return static_cast<std::uint8_t>(ip.v6 ? AF_INET6 : AF_INET);
}

/// The gateway; of the other family where RTA_VIA says so (an IPv4 route by an IPv6 gateway).
std::optional<core::Ip> gateway_in(const Attributes& attributes) {
    if (const auto gateway = attributes.find(RTA_GATEWAY)) return ip_of(*gateway);
    const auto via = attributes.find(RTA_VIA);
    if (!via || via->size() < sizeof(std::uint16_t)) return std::nullopt;
    return ip_of(via->subspan(sizeof(std::uint16_t)));
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

void send_edit(Host& host, std::uint32_t index, const RouteEdit& edit) {
    const bool remove = edit.kind == RouteEdit::Kind::remove;
    const int flags = edit.kind == RouteEdit::Kind::add ? NLM_F_CREATE | NLM_F_EXCL
                                                        : NLM_F_CREATE | NLM_F_REPLACE;
    Message message =
        route_message(remove ? RTM_DELROUTE : RTM_NEWROUTE, remove ? 0 : flags, index, edit.entry);
    try {
        host.route().change(message);
    } catch (const KernelError& error) {
        // Gone already, for instance with its address.
        if (remove && error.code == ESRCH) return;
        throw;
    }
}

void read_family(Host& host, std::uint32_t index, int family, std::vector<core::Route>& routes) {
    Message request(RTM_GETROUTE);
    rtmsg header{};
    header.rtm_family = static_cast<std::uint8_t>(family);
    header.rtm_type = RTN_UNICAST;
    request.put_header(header);
    request.put(RTA_OIF, index);
    const auto answers = host.route().dump<RouteAnswer>(
        request, [index, family](const Reply& reply) -> std::optional<RouteAnswer> {
            auto answer = decode_route(reply.payload);
            // A kernel older than 4.20 does not filter; one without IPv6 answers with IPv4.
            const bool wanted =
                answer && answer->index == index && answer->route.to.ip.v6 == (family == AF_INET6);
            return wanted ? answer : std::nullopt;
        });
    for (const RouteAnswer& answer : answers)
        routes.push_back(answer.route);
}

}  // namespace

std::optional<RouteAnswer> decode_route(Bytes payload) {
    const auto header = header_of<rtmsg>(payload);
    if (!header || (header->rtm_family != AF_INET && header->rtm_family != AF_INET6))
        return std::nullopt;
    const auto attributes = Attributes::after<rtmsg>(payload);
    const auto number = [&](int type) { return attributes.value<std::uint32_t>(type); };
    if (header->rtm_type != RTN_UNICAST || header->rtm_tos != 0 || header->rtm_src_len != 0 ||
        (header->rtm_flags & RTM_F_CLONED) != 0)
        return std::nullopt;
    for (const int not_modelled : {RTA_MULTIPATH, RTA_ENCAP, RTA_NH_ID})
        if (attributes.find(not_modelled)) return std::nullopt;

    RouteAnswer answer;
    answer.index = number(RTA_OIF).value_or(0);
    core::Route& route = answer.route;
    route.table = number(RTA_TABLE).value_or(header->rtm_table);
    if (answer.index == 0 || route.table == RT_TABLE_LOCAL) return std::nullopt;
    route.to.ip.v6 = header->rtm_family == AF_INET6;
    route.to.length = header->rtm_dst_len;
    if (const auto to = attributes.find(RTA_DST)) {
        const auto ip = ip_of(*to);
        if (!ip || ip->v6 != route.to.ip.v6) return std::nullopt;
        route.to.ip = *ip;
    } else if (route.to.length != 0) {
        return std::nullopt;
    }
    route.metric = number(RTA_PRIORITY).value_or(0);
    route.via = gateway_in(attributes);
    route.source = ip_of(attributes.find(RTA_PREFSRC).value_or(Bytes()));
    route.scope = header->rtm_scope;
    route.protocol = header->rtm_protocol;
    route.mtu = attributes.nested(RTA_METRICS).value<std::uint32_t>(RTAX_MTU).value_or(0);
    return answer;
}

std::vector<core::Route> read_routes(Host& host, std::uint32_t index) {
    std::vector<core::Route> routes;
    read_family(host, index, AF_INET, routes);
    read_family(host, index, AF_INET6, routes);
    return routes;
}

void write_routes(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.link || !now.routes || !then.routes) throw KernelError(ENODEV);
    for (const RouteEdit& edit : core::route_edits(*now.routes, *then.routes))
        send_edit(host, now.link->index, edit);
}

}  // namespace netlink
