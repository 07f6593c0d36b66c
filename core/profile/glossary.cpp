// SPDX-License-Identifier: Apache-2.0
#include "core/profile/glossary.hpp"

#include <algorithm>
#include <array>

namespace core {
namespace {

using Keys = std::string_view;

constexpr std::array<Keys, 3> kPfc = {"pfc.priorities", "roce.priority", "switch.lossless"};
constexpr std::array<Keys, 2> kDscp = {"dscp.map", "roce.dscp"};
constexpr std::array<Keys, 2> kTos = {"rdma.default_tos", "roce.dscp"};
constexpr std::array<Keys, 2> kGid = {"addresses", "rdma.gids"};
constexpr std::array<Keys, 3> kLossless = {"roce.priority", "pfc.priorities", "switch.lossless"};
constexpr std::array<Keys, 3> kEcn = {"roce.ecn", "ecn.notify", "ecn.react"};
constexpr std::array<Keys, 3> kCnp = {"roce.cnp.dscp", "roce.cnp.priority", "ecn.cnp_dscp"};
constexpr std::array<Keys, 3> kEts = {"roce.bandwidth", "ets.algorithm", "ets.bandwidth"};
constexpr std::array<Keys, 1> kDcbx = {"dcbx.mode"};
constexpr std::array<Keys, 2> kTrust = {"roce.trust", "dscp.trust"};
constexpr std::array<Keys, 3> kPriority = {"roce.priority", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 1> kClass = {"ets.traffic_class"};
constexpr std::array<Keys, 2> kPair = {"rdma.default_mode", "rdma.default_tos"};

constexpr std::array kGlossary = {
    GlossaryEntry{
        "PFC",
        "Priority flow control: whoever runs out of buffer asks the other end of the link to pause "
        "one priority, instead of dropping its packets. Both ends, host and switch, need it for "
        "the same priority, the one that RoCE is in; else packets of RoCE are dropped under load.",
        kPfc},
    GlossaryEntry{
        "DSCP",
        "A number from 0 to 63 in the header of each IP packet that says how to treat it. Host and "
        "switches map it to a priority; RoCE usually has DSCP 26, in priority 3.",
        kDscp},
    GlossaryEntry{
        "ToS",
        "The byte of the IP header that holds the DSCP (its upper six bits) and ECN (its lower "
        "two): DSCP times 4, plus 2 for packets that can be marked. DSCP 26 is ToS 106; "
        "applications and libraries call it the traffic class of a connection.",
        kTos},
    GlossaryEntry{
        "GID",
        "An address as an RDMA device knows it: the port's list has one for each IP address and "
        "version of RoCE, told apart by index and type. A connection takes one of type RoCE v2 "
        "made of the port's own address.",
        kGid},
    GlossaryEntry{
        "lossless",
        "A priority is lossless where PFC holds its packets back instead of dropping them, on "
        "every host and switch on the way. RDMA sends much again for each packet that is lost, so "
        "that RoCE is put into such a priority.",
        kLossless},
    GlossaryEntry{
        "ECN",
        "Explicit congestion notification: a switch with a long queue marks packets instead of "
        "dropping them. The receiver answers marks with a CNP, and the sender slows down.",
        kEcn},
    GlossaryEntry{
        "CNP",
        "Congestion notification packet: what a receiver of marked packets sends back, so that the "
        "sender slows down. It has a DSCP and a priority of its own, which is not lossless, so "
        "that it never waits behind the traffic it is about.",
        kCnp},
    GlossaryEntry{
        "ETS",
        "Enhanced transmission selection: how traffic classes share the bandwidth of a port. A "
        "class with algorithm ets has its percentage at least; one with strict goes first; one "
        "with ets and 0 percent has what is left.",
        kEts},
    GlossaryEntry{
        "DCBX",
        "The protocol by which host and switch tell each other their PFC, ETS and map, in LLDP. "
        "Where the NIC's firmware speaks it, the switch can replace what was set on the host; with "
        "dcbx.mode host, what the host sets stays.",
        kDcbx},
    GlossaryEntry{
        "trust",
        "Which mark of a packet a port goes by: its DSCP, or the priority in the VLAN tag. A port "
        "that trusts the tag puts every packet without one into priority 0.",
        kTrust},
    GlossaryEntry{
        "priority",
        "One of eight lanes, 0 to 7, that a packet is put into by its DSCP or VLAN tag. PFC pauses "
        "a priority, ETS gives its traffic class a share; RoCE usually has priority 3, and all "
        "that nobody marked has 0.",
        kPriority},
    GlossaryEntry{
        "traffic class",
        "A queue of the port: each priority is in one, and ETS shares the bandwidth among them. "
        "Applications use the same words for the ToS of a connection, such as NCCL_IB_TC.",
        kClass},
    GlossaryEntry{
        "QP",
        "Queue pair: the end of an RDMA connection, with a queue of what to send and one of what "
        "to receive. Its version of RoCE, GID and ToS are given to it when it is connected, so "
        "that a change of defaults reaches only those made later.",
        kPair},
};

char in_small(char letter) {
    constexpr char to_lower = 'a' - 'A';
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + to_lower) : letter;
}

}  // namespace

std::span<const GlossaryEntry> glossary() {
    return kGlossary;
}

const GlossaryEntry* find_glossary_entry(std::string_view word) {
    const auto same = [&](const GlossaryEntry& term) {
        return std::ranges::equal(term.name, word, {}, in_small, in_small);
    };
    const auto* const found = std::ranges::find_if(kGlossary, same);
    return found == kGlossary.end() ? nullptr : &*found;
}

}  // namespace core
