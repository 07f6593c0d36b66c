// SPDX-License-Identifier: Apache-2.0
#include "dcb/peer.hpp"

#include <linux/dcbnl.h>

#include <algorithm>
#include <array>

#include "dcb/exchange.hpp"

namespace dcb {
namespace {

/// The selectors of IEEE 802.1Q D.2.9.3, as dcb(8) calls them.
constexpr std::array<std::string_view, 6> kNames = {"",      "ethtype", "stream",
                                                    "dgram", "any",     "dscp"};

std::string text_of(const dcb_app& entry) {
    const std::string selector = entry.selector < kNames.size() && entry.selector != 0
                                     ? std::string(kNames.at(entry.selector))
                                     : std::to_string(entry.selector);
    return selector + ' ' + std::to_string(entry.protocol) + ": " + std::to_string(entry.priority);
}

core::PerPriority<std::uint8_t> list_of(const __u8 (&values)[IEEE_8021QAZ_MAX_TCS]) {
    core::PerPriority<std::uint8_t> out{};
    std::ranges::copy(values, out.begin());
    return out;
}

}  // namespace

std::optional<core::Peer> decode_peer(netlink::Bytes payload) {
    const netlink::Attributes ieee = attributes_of(payload).nested(DCB_ATTR_IEEE);
    const auto pfc = ieee.value<ieee_pfc>(DCB_ATTR_IEEE_PEER_PFC);
    const auto ets = ieee.value<ieee_ets>(DCB_ATTR_IEEE_PEER_ETS);
    core::Peer out;
    if (pfc) out.pfc = pfc->pfc_en;
    if (ets) {
        out.traffic_class = list_of(ets->prio_tc);
        out.bandwidth = list_of(ets->tc_tx_bw);
        // No port sends a class above 7; what a switch announces is not checked by the kernel.
        for (std::uint8_t& each : *out.traffic_class)
            each = std::min<std::uint8_t>(each, core::kPriorities - 1);
    }
    ieee.nested(DCB_ATTR_IEEE_PEER_APP).for_each([&](int type, netlink::Bytes bytes) {
        const auto entry = netlink::header_of<dcb_app>(bytes);
        if (type == DCB_ATTR_IEEE_APP && entry) out.app.insert(text_of(*entry));
    });
    // Of no entries the kernel sends an empty table.
    return pfc || ets || !out.app.empty() ? std::optional(out) : std::nullopt;
}

void fill_peer(netlink::Machine& machine, core::Port& port) {
    netlink::Message request = message(RTM_GETDCB, DCB_CMD_IEEE_GET, port.name);
    machine.route().get(
        request, [&](const netlink::Reply& reply) { port.peer = decode_peer(reply.payload); });
}

}  // namespace dcb
