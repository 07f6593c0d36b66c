// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"

// Whether the port and the other end of its link mean the same, as far as that end advertises it.

namespace core {
namespace {

constexpr std::array<Keys, 2> kBothPfc = {"pfc.priorities", "peer.pfc"};
constexpr std::array<Keys, 1> kPeerApp = {"peer.app"};
constexpr std::array<Ids, 4> kPfcIsRight = {"port-down", "no-carrier", "pfc-off", "pfc-elsewhere"};
constexpr std::array<Ids, 2> kIsLinked = {"port-down", "no-carrier"};

/// `announces`, and in which version where it is not the one that everybody speaks now.
std::string notifies(const Peer& peer) {
    return peer.version == "cee" ? "the other end advertises by CEE " : "the other end advertises ";
}

/// The priority of RoCE matters; another that differs pauses nothing of RoCE.
Faults other_pfc(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const unsigned there = *port.peer->pfc;
    const unsigned here = port.pfc->priorities;
    if (!evidence.roce->lossless || there == here) return {};
    Faults out = fault(notifies(*port.peer) + "priority " + priorities_text(*port.peer->pfc) +
                       " as lossless, the port has " + priorities_text(port.pfc->priorities));
    out.front().slight = ((there ^ here) & bit_of(evidence.roce->priority)) == 0;
    return out;
}

Faults notified(const Peer& peer, const std::string& entry, unsigned meant) {
    return fault(notifies(peer) + entry + ", RoCE is meant to have priority " +
                 std::to_string(meant));
}

/// RoCE is reported by its UDP port, as a datagram's or as any transport's, or by its DSCP.
Faults other_application(const Evidence& evidence) {
    const EffectiveIntent& roce = *evidence.roce;
    if (!roce.lossless) return {};
    const std::array<std::string, 3> ways = {
        "dgram 4791: ", "any 4791: ", "dscp " + std::to_string(roce.dscp) + ": "};
    for (const std::string& entry : evidence.now->peer->app)
        for (const std::string& way : ways)
            if (entry.starts_with(way) && entry.substr(way.size()) != std::to_string(roce.priority))
                return notified(*evidence.now->peer, entry, roce.priority);
    return {};
}

constexpr std::array<Ids, 5> kOfOtherPeer = {"pfc-rx-storm", "rx-discards", "out-of-sequence",
                                             "ack-timeouts", "retries-exhausted"};

constexpr std::array kRowsPeer = {
    FindingRow{.id = "peer-pfc-differs",
               .why = "A priority is lossless only where both ends of the link pause it: the one "
                      "sends pauses that the other does not obey, or drops without a word.",
               .remedy = "the switch port's PFC for the priority of RoCE, or pfc.priorities as it "
                         "has it",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kBothPfc, .sound = kPfcIsRight},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfOtherPeer,
                         .ruled_out_by = "the switch advertises by DCBX what it does not do itself",
                         .test = "the switch's own list of PFC for that port"},
               .run = other_pfc},
    FindingRow{.id = "peer-app-differs",
               .level = FindingLevel::note,
               .why = "The switch tells hosts to put RoCE into another priority: those that are "
                      "willing do, and this one does not.",
               .remedy = "the application entry of the switch, or roce.priority as it has it",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPeerApp, .sound = kIsLinked},
               .examines = CheckTarget::port,
               .run = other_application},
};

constexpr auto kAllPeer = each_of(kRowsPeer);

}  // namespace

const FindingGroup finding_group::peer{
    .name = "peer",
    .doc = "Whether the port and the other end of its link mean the same, as that end advertises.",
    .rows = kAllPeer};

}  // namespace core
