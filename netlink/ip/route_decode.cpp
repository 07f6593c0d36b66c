// SPDX-License-Identifier: Apache-2.0
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>

#include "netlink/ip/addresses.hpp"
#include "netlink/ip/routes.hpp"

namespace netlink {
namespace {

/// The gateway; of the other family where RTA_VIA says so (an IPv4 route by an IPv6 gateway).
std::optional<core::Ip> gateway_in(const Attributes& attributes) {
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
std::string not_described(const rtmsg& header, const Attributes& attributes) {
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
std::string parts_beside(const rtmsg& header, const Attributes& attributes) {
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

std::vector<std::uint32_t> links_in(const Attributes& attributes) {
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
bool put_destination(const rtmsg& header, const Attributes& attributes, core::Prefix& to) {
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
    const auto attributes = Attributes::after<rtmsg>(payload);
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

}  // namespace netlink
