// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <linux/dcbnl.h>

#include <algorithm>
#include <array>
#include <span>

#include "dcb/exchange.hpp"

namespace dcb {
namespace {

/// The selectors of IEEE 802.1Q D.2.9.3, as dcb(8) calls them.
constexpr std::array<std::string_view, 6> kNames = {"",      "ethtype", "stream",
                                                    "dgram", "any",     "dscp"};

std::string text_of(std::string_view selector, const dcb_app& entry, unsigned priority) {
    return std::string(selector) + ' ' + std::to_string(entry.protocol) + ": " +
           std::to_string(priority);
}

void add_ieee(const dcb_app& entry, std::set<std::string>& out) {
    const std::string selector = entry.selector < kNames.size() && entry.selector != 0
                                     ? std::string(kNames.at(entry.selector))
                                     : std::to_string(entry.selector);
    out.insert(text_of(selector, entry, entry.priority));
}

/// CEE has two selectors (DCB_APP_IDTYPE_*), of which the second is a port of TCP or UDP. It has a
/// mask of priorities, as linux/dcbnl.h says of struct dcb_app; but drivers hand on one of them as
/// a number (bnx2x_dcb.c bnx2x_dcbx_dcbnl_app_up, cxgb4_dcb.c, qed_dcbx.c), which is below 8.
void add_cee(const dcb_app& entry, std::set<std::string>& out) {
    std::string selector = "cee " + std::to_string(entry.selector);
    if (entry.selector == DCB_APP_IDTYPE_ETHTYPE) selector = "ethtype";
    if (entry.selector == DCB_APP_IDTYPE_PORTNUM) selector = "any";
    const bool is_number = entry.priority < core::kPriorities;
    const unsigned mask = is_number ? 1U << entry.priority : entry.priority;
    for (unsigned priority = 0; priority < core::kPriorities; ++priority)
        if (((mask >> priority) & 1U) != 0) out.insert(text_of(selector, entry, priority));
}

std::set<std::string> entries(const netlink::Attributes& table, int each,
                              void (*add)(const dcb_app&, std::set<std::string>&)) {
    std::set<std::string> out;
    table.for_each([&](int type, netlink::Bytes bytes) {
        const auto entry = netlink::header_of<dcb_app>(bytes);
        if (type == each && entry) add(*entry, out);
    });
    return out;
}

core::PerPriority<std::uint8_t> list_of(const __u8 (&values)[core::kPriorities]) {
    core::PerPriority<std::uint8_t> out{};
    std::ranges::copy(values, out.begin());
    return out;
}

/// Whether the port itself has only the older version: entries of applications, which drivers hand
/// on alike in both answers, are meant so.
bool speaks_cee(const netlink::Attributes& attributes) {
    const unsigned mode = attributes.value<std::uint8_t>(DCB_ATTR_DCBX).value_or(0);
    return (mode & DCB_CAP_DCBX_VER_CEE) != 0 && (mode & DCB_CAP_DCBX_VER_IEEE) == 0;
}

std::optional<core::Peer> ieee_peer(const netlink::Attributes& ieee, bool app_is_cee) {
    const auto pfc = ieee.value<ieee_pfc>(DCB_ATTR_IEEE_PEER_PFC);
    const auto ets = ieee.value<ieee_ets>(DCB_ATTR_IEEE_PEER_ETS);
    core::Peer out{.version = "ieee"};
    if (pfc) out.pfc = pfc->pfc_en;
    if (ets) {
        out.traffic_class = list_of(ets->prio_tc);
        out.bandwidth = list_of(ets->tc_tx_bw);
        // No port sends a class above 7; what a switch advertises is not checked by the kernel.
        for (std::uint8_t& each : *out.traffic_class)
            each = std::min<std::uint8_t>(each, core::kPriorities - 1);
    }
    if (pfc || ets || !app_is_cee)
        out.app = entries(ieee.nested(DCB_ATTR_IEEE_PEER_APP), DCB_ATTR_IEEE_APP, add_ieee);
    // Of no entries the kernel sends an empty table.
    return pfc || ets || !out.app.empty() ? std::optional(out) : std::nullopt;
}

/// Of a peer from which nothing was heard drivers hand on zeroes (bnx2x_dcb.c
/// bnx2x_cee_peer_getpg); one that announces groups gives them bandwidth.
bool is_silent(const std::optional<cee_pfc>& pfc, const std::optional<cee_pg>& pg) {
    const auto is_zero = [](const auto& each) {
        return std::ranges::all_of(std::as_bytes(std::span(&each, 1)),
                                   [](std::byte byte) { return byte == std::byte{0}; });
    };
    return (!pfc || is_zero(*pfc)) && (!pg || is_zero(*pg));
}

std::optional<core::Peer> cee_peer(const netlink::Attributes& cee, bool app_is_cee) {
    const auto pfc = cee.value<cee_pfc>(DCB_ATTR_CEE_PEER_PFC);
    const auto pg = cee.value<cee_pg>(DCB_ATTR_CEE_PEER_PG);
    const bool silent = is_silent(pfc, pg);
    if (silent && !app_is_cee) return std::nullopt;
    core::Peer out{.version = "cee"};
    if (pfc && !silent) out.pfc = pfc->pfc_en;
    if (pg && !silent) {
        out.bandwidth = list_of(pg->pg_bw);
        // Group 15 has strict priority and no share: no class stands for it.
        if (std::ranges::all_of(pg->prio_pg, [](auto group) { return group < core::kPriorities; }))
            out.traffic_class = list_of(pg->prio_pg);
    }
    out.app = entries(cee.nested(DCB_ATTR_CEE_PEER_APP_TABLE), DCB_ATTR_CEE_PEER_APP, add_cee);
    return silent && out.app.empty() ? std::nullopt : std::optional(out);
}

}  // namespace

std::optional<core::Peer> decode_peer(netlink::Bytes payload) {
    const netlink::Attributes attributes = attributes_of(payload);
    const bool app_is_cee = speaks_cee(attributes);
    if (attributes.find(DCB_ATTR_CEE)) return cee_peer(attributes.nested(DCB_ATTR_CEE), app_is_cee);
    return ieee_peer(attributes.nested(DCB_ATTR_IEEE), app_is_cee);
}

namespace {

std::optional<core::Peer> ask_for_peer(netlink::Machine& machine, int command,
                                       const std::string& port) {
    netlink::Message request = message(RTM_GETDCB, command, port);
    std::optional<core::Peer> out;
    machine.route().get(request,
                        [&](const netlink::Reply& reply) { out = decode_peer(reply.payload); });
    return out;
}

}  // namespace

// A driver has the operations of the version that its firmware speaks, seldom of both.
void read_peer(netlink::Machine& machine, core::Port& port) {
    port.peer = ask_for_peer(machine, DCB_CMD_IEEE_GET, port.name);
    if (port.peer && (port.peer->pfc || port.peer->traffic_class)) return;
    if (auto older = ask_for_peer(machine, DCB_CMD_CEE_GET, port.name)) port.peer = older;
}

}  // namespace dcb
