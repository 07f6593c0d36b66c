// SPDX-License-Identifier: Apache-2.0
#include "core/checks/check.hpp"

#include <algorithm>
#include <array>

namespace core {
namespace {

using Fault = std::optional<std::string>;
using Keys = std::string_view;

constexpr std::array<Keys, 2> kRxPause = {"pause.rx", "pfc.priorities"};
constexpr std::array<Keys, 2> kTxPause = {"pause.tx", "pfc.priorities"};
constexpr std::array<Keys, 1> kPfc = {"pfc.priorities"};
constexpr std::array<Keys, 2> kShares = {"ets.bandwidth", "ets.algorithm"};
constexpr std::array<Keys, 3> kTrust = {"dscp.trust", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 3> kTosMapped = {"rdma.default_tos", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 2> kUdp = {"app.udp", "pfc.priorities"};
constexpr std::array<Keys, 1> kTos = {"rdma.default_tos"};
constexpr std::array<Keys, 2> kCnpMapped = {"ecn.cnp_dscp", "dscp.map"};
constexpr std::array<Keys, 2> kCnpLossless = {"ecn.cnp_priority", "pfc.priorities"};
constexpr std::array<Keys, 2> kMtu = {"mtu", "rdma.default_mode"};
constexpr std::array<Keys, 1> kRoutes = {"routes"};
constexpr std::array<Keys, 1> kRules = {"rules"};

bool is_lossless(const Port& port, unsigned priority) {
    return port.pfc && ((unsigned{port.pfc->priorities} >> priority) & 1U) != 0;
}

Fault pause_beside_pfc(const Port& port, bool on, const char* direction) {
    if (!on || port.pfc->priorities == 0) return std::nullopt;
    return "link-level pause (" + std::string(direction) +
           ") is on beside PFC: it stops every priority, and devices do not take both";
}

Fault rx_pause(const Driver& /*driver*/, const Port& port) {
    return pause_beside_pfc(port, port.pause->rx, "rx");
}

Fault tx_pause(const Driver& /*driver*/, const Port& port) {
    return pause_beside_pfc(port, port.pause->tx, "tx");
}

Fault pfc_on_all(const Driver& /*driver*/, const Port& port) {
    if (port.pfc->priorities != 0xff) return std::nullopt;
    return "PFC is on for all eight priorities: nothing is left that may be dropped, and one slow "
           "receiver stops everything";
}

Fault shares(const Driver& /*driver*/, const Port& port) {
    unsigned sum = 0;
    bool any = false;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        if (port.ets->algorithm.at(i) != Ets::shared) continue;
        any = true;
        sum += port.ets->bandwidth.at(i);
    }
    if (any && sum != 100)
        return "the shares of the classes with algorithm ets sum to " + std::to_string(sum) +
               ", expected 100";
    for (std::size_t i = 0; i < kPriorities; ++i)
        if (port.ets->algorithm.at(i) != Ets::shared && port.ets->bandwidth.at(i) != 0)
            return "traffic class " + std::to_string(i) + " has a share of " +
                   std::to_string(port.ets->bandwidth.at(i)) +
                   " percent, but its algorithm is not ets";
    return std::nullopt;
}

Fault map_not_trusted(const Driver& /*driver*/, const Port& port) {
    const auto& trust = port.app->trust;
    if (!trust || std::ranges::find(*trust, AppEntry::dscp) != trust->end()) return std::nullopt;
    for (const AppEntry& entry : port.app->entries)
        if (entry.selector == AppEntry::dscp && is_lossless(port, entry.priority))
            return "DSCP " + std::to_string(entry.protocol) + " is mapped to lossless priority " +
                   std::to_string(entry.priority) + ", but the port does not trust DSCP";
    return std::nullopt;
}

/// A DSCP without an entry may have a lossless priority by itself.
Fault tos_lossy(const Driver& driver, const Port& port) {
    if (port.pfc->priorities == 0) return std::nullopt;
    const unsigned dscp = port.cm_defaults->tos >> 2U;
    const std::string tos = "ToS " + std::to_string(port.cm_defaults->tos) + " is DSCP " +
                            std::to_string(dscp) + ", which ";
    for (const AppEntry& entry : port.app->entries) {
        if (entry.selector != AppEntry::dscp || entry.protocol != dscp) continue;
        if (is_lossless(port, entry.priority)) return std::nullopt;
        return tos + "is mapped to priority " + std::to_string(entry.priority) +
               ", and that is not lossless";
    }
    if (driver.app.unlisted_dscp_by_eights && is_lossless(port, dscp / 8)) return std::nullopt;
    return tos + "dscp.map does not map to a lossless priority";
}

/// bnxt_re takes the priority of RoCE from this entry (bnxt_re/main.c bnxt_re_get_priority_mask).
Fault udp_lossy(const Driver& /*driver*/, const Port& port) {
    constexpr unsigned roce_udp_port = 4791;
    if (port.pfc->priorities == 0) return std::nullopt;
    for (const AppEntry& entry : port.app->entries)
        if (entry.selector == AppEntry::dgram && entry.protocol == roce_udp_port &&
            !is_lossless(port, entry.priority))
            return "UDP port 4791, which is RoCE, is mapped to priority " +
                   std::to_string(entry.priority) + ", and that is not lossless";
    return std::nullopt;
}

Fault tos_congested(const Driver& /*driver*/, const Port& port) {
    if ((port.cm_defaults->tos & 3U) != 3) return std::nullopt;
    return "ToS " + std::to_string(port.cm_defaults->tos) +
           " marks every packet as having met congestion (ECN bits 11); expected " +
           std::to_string((port.cm_defaults->tos & ~3U) | 2U) + " for ECT(0)";
}

std::optional<std::uint32_t> number_of(const Port& port, Ecn::Number number) {
    if (!port.ecn || !port.ecn->numbers.at(number)) return std::nullopt;
    return port.ecn->numbers.at(number)->value;
}

Fault cnp_not_mapped(const Driver& /*driver*/, const Port& port) {
    const auto dscp = number_of(port, Ecn::cnp_dscp);
    std::string mapped;
    for (const AppEntry& entry : port.app->entries) {
        if (entry.selector != AppEntry::dscp) continue;
        if (entry.protocol == dscp) return std::nullopt;
        mapped += (mapped.empty() ? "" : ", ") + std::to_string(entry.protocol);
    }
    if (!dscp || mapped.empty()) return std::nullopt;
    return "CNP DSCP " + std::to_string(*dscp) + " is programmed while " + mapped +
           (mapped.find(',') == std::string::npos ? " is mapped" : " are mapped");
}

Fault cnp_priority_lossless(const Driver& /*driver*/, const Port& port) {
    const auto priority = number_of(port, Ecn::cnp_priority);
    if (!priority || !is_lossless(port, *priority)) return std::nullopt;
    return "CNPs are sent in priority " + std::to_string(*priority) +
           ", which is lossless: they would wait behind the traffic they are to slow down";
}

Fault mtu_too_small(const Driver& driver, const Port& port) {
    constexpr std::uint32_t least = 1024;  // what an Ethernet MTU of 1500 gives
    const std::string_view type = port.rdma_link ? std::string_view(port.rdma_link->type) : "";
    const std::uint32_t payload = rdma_mtu(driver, type, port.link->mtu);
    if (payload >= least) return std::nullopt;
    return "MTU " + std::to_string(port.link->mtu) +
           (payload == 0 ? " carries no RDMA MTU at all"
                         : " gives an RDMA MTU of " + std::to_string(payload)) +
           "; 1500 gives 1024, 4200 and more give 4096";
}

Fault route_family(const Driver& /*driver*/, const Port& port) {
    for (const Route& route : *port.routes) {
        const auto differs = [&](const std::optional<Ip>& ip) {
            return ip && ip->v6 != route.to.ip.v6;
        };
        const std::string to = "the route to " + text(route.to);
        if (differs(route.via))
            return to + " has a gateway of the other family, " + text(*route.via);
        if (differs(route.source))
            return to + " has a source of the other family, " + text(*route.source);
    }
    return std::nullopt;
}

Fault rule_family(const Driver& /*driver*/, const Port& host) {
    for (const Rule& rule : *host.rules)
        for (const auto& network : {rule.from, rule.to})
            if (network && network->ip.v6 != rule.v6)
                return "the rule is for " + std::string(rule.v6 ? "IPv6" : "IPv4") +
                       " and selects " + text(*network);
    return std::nullopt;
}

constexpr std::array kChecks = {
    Check{"pfc-with-rx-pause", "lossless",
          "Link-level pause received from the switch stops every priority at once.", kRxPause,
          rx_pause, "pause.rx false"},
    Check{"pfc-with-tx-pause", "lossless",
          "Link-level pause sent to the switch stops every priority at once.", kTxPause, tx_pause,
          "pause.tx false"},
    Check{"pfc-on-all", "lossless",
          "A fabric needs priorities that may drop, else a pause storm stops all traffic.", kPfc,
          pfc_on_all, "pfc.priorities with the RoCE priority alone"},
    Check{
        "ets-shares", "lossless",
        "The classes that share bandwidth share all of it (IEEE 802.1Q 37); the others have none.",
        kShares, shares, "ets.bandwidth that sums to 100 over the ets classes"},
    Check{"dscp-not-trusted", "marking",
          "The DSCP map has no effect on a port that takes the priority from the VLAN tag.", kTrust,
          map_not_trusted, "dscp.trust dscp"},
    Check{"tos-lossy", "marking",
          "Connections made by rdma_cm carry the default ToS; its DSCP must lead to a lossless "
          "priority.",
          kTosMapped, tos_lossy, "rdma.default_tos of the RoCE DSCP times 4 plus 2"},
    Check{"udp-lossy", "marking",
          "A NIC that tells RoCE by its UDP port sends it in the priority of that entry.", kUdp,
          udp_lossy, "app.udp 4791 in the RoCE priority"},
    Check{"tos-congested", "marking",
          "ECN bits 11 say that a switch was congested; a sender never sets them (RFC 3168).", kTos,
          tos_congested, "rdma.default_tos with ECN bits 10"},
    Check{"cnp-dscp-not-mapped", "congestion",
          "Congestion notifications are told apart by their DSCP, on the switches as on the host.",
          kCnpMapped, cnp_not_mapped, "ecn.cnp_dscp of the DSCP that dscp.map maps for CNPs"},
    Check{"cnp-priority-lossless", "congestion",
          "A notification that is paused with the traffic it is about comes too late.",
          kCnpLossless, cnp_priority_lossless, "ecn.cnp_priority outside pfc.priorities"},
    Check{"mtu-small", "mtu", "The RDMA MTU is the largest power of two that fits the port's MTU.",
          kMtu, mtu_too_small, "mtu 4200 or more, on the switches too"},
    Check{"route-family", "address",
          "Gateway and source of a route are of the destination's family.", kRoutes, route_family,
          "a gateway and source of the same family"},
    Check{"rule-family", "address", "What a rule selects is of one family.", kRules, rule_family,
          "from, to and family of the same family"},
};

}  // namespace

std::span<const Check> checks() {
    return kChecks;
}

}  // namespace core
