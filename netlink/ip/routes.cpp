// SPDX-License-Identifier: Apache-2.0
#include "netlink/ip/routes.hpp"

#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

#include "core/model/edit.hpp"
#include "netlink/ip/addresses.hpp"
#include "netlink/ip/links.hpp"

namespace netlink {
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

}  // namespace

void read_routes(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const Links links = links_of(state);
    for (const auto& [index, port] : links.ports)
        port->routes.emplace();
    try {
        take_routes(machine, links, AF_INET);
        take_routes(machine, links, AF_INET6);
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
