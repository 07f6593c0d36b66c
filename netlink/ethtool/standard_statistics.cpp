// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/standard_statistics.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <array>
#include <span>

#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

using StandardName = std::string_view;

// net/ethtool/stats.c stats_eth_phy_names and those after it, in the order of their numbers.
constexpr std::array<StandardName, 1> kPhy = {"SymbolErrorDuringCarrier"};
constexpr std::array<StandardName, 22> kMac = {"FramesTransmittedOK",
                                               "SingleCollisionFrames",
                                               "MultipleCollisionFrames",
                                               "FramesReceivedOK",
                                               "FrameCheckSequenceErrors",
                                               "AlignmentErrors",
                                               "OctetsTransmittedOK",
                                               "FramesWithDeferredXmissions",
                                               "LateCollisions",
                                               "FramesAbortedDueToXSColls",
                                               "FramesLostDueToIntMACXmitError",
                                               "CarrierSenseErrors",
                                               "OctetsReceivedOK",
                                               "FramesLostDueToIntMACRcvError",
                                               "MulticastFramesXmittedOK",
                                               "BroadcastFramesXmittedOK",
                                               "FramesWithExcessiveDeferral",
                                               "MulticastFramesReceivedOK",
                                               "BroadcastFramesReceivedOK",
                                               "InRangeLengthErrors",
                                               "OutOfRangeLengthField",
                                               "FrameTooLongErrors"};
static_assert(kMac.size() == __ETHTOOL_A_STATS_ETH_MAC_CNT);
constexpr std::array<StandardName, 3> kControl = {
    "MACControlFramesTransmitted", "MACControlFramesReceived", "UnsupportedOpcodesReceived"};
constexpr std::array<StandardName, 4> kRmon = {"etherStatsUndersizePkts", "etherStatsOversizePkts",
                                               "etherStatsFragments", "etherStatsJabbers"};

struct StandardGroup {
    StandardName name;
    std::span<const StandardName> names;
};
/// By ETHTOOL_STATS_*.
constexpr std::array kStandard = {StandardGroup{"eth-phy", kPhy}, StandardGroup{"eth-mac", kMac},
                                  StandardGroup{"eth-ctrl", kControl},
                                  StandardGroup{"rmon", kRmon}};

void add_group(const Attributes& group, core::Statistics& out) {
    const auto id = group.value<std::uint32_t>(ETHTOOL_A_STATS_GRP_ID);
    if (!id || *id >= kStandard.size()) return;
    const StandardGroup& standard = kStandard.at(*id);
    group.for_each([&](int type, Bytes bytes) {
        if (type != ETHTOOL_A_STATS_GRP_STAT) return;
        Attributes(bytes).for_each([&](int number, Bytes counted) {
            const auto value = header_of<std::uint64_t>(counted);
            const auto at = static_cast<std::size_t>(number);
            // What fills up to eight bytes has the number of a counter, and no value.
            if (value && at < standard.names.size())
                out.emplace(std::string(standard.name) + '-' + std::string(standard.names[at]),
                            *value);
        });
    });
}

}  // namespace

Message standard_statistics_message(Machine& machine, const std::string& port) {
    Message request = ethtool_message(machine, ETHTOOL_MSG_STATS_GET, ETHTOOL_A_STATS_HEADER, port);
    core::Flags groups;
    for (const StandardGroup& group : kStandard)
        groups.emplace(group.name, true);
    put_bitset(request, ETHTOOL_A_STATS_GROUPS, {}, groups);
    return request;
}

core::Statistics decode_standard_statistics(Bytes payload) {
    core::Statistics out;
    Attributes::after<genlmsghdr>(payload).for_each([&](int type, Bytes bytes) {
        if (type == ETHTOOL_A_STATS_GRP) add_group(Attributes(bytes), out);
    });
    return out;
}

namespace {

struct CounterName {
    int attribute = 0;
    const char* name = nullptr;
};

/// The counters that the nest of an answer has, under these names.
core::Statistics counters_in(Bytes payload, int nest, std::span<const CounterName> names) {
    const auto stats = Attributes::after<genlmsghdr>(payload).nested(nest);
    core::Statistics out;
    for (const CounterName& one : names)
        if (const auto value = stats.value<std::uint64_t>(one.attribute))
            out.emplace(one.name, *value);
    return out;
}

}  // namespace

core::Statistics decode_pause_statistics(Bytes payload) {
    constexpr std::array names = {CounterName{ETHTOOL_A_PAUSE_STAT_TX_FRAMES, "tx_pause_frames"},
                                  CounterName{ETHTOOL_A_PAUSE_STAT_RX_FRAMES, "rx_pause_frames"}};
    return counters_in(payload, ETHTOOL_A_PAUSE_STATS, names);
}

core::Statistics decode_fec_statistics(Bytes payload) {
    constexpr std::array names = {
        CounterName{ETHTOOL_A_FEC_STAT_CORRECTED, "fec_corrected_blocks"},
        CounterName{ETHTOOL_A_FEC_STAT_UNCORR, "fec_uncorrectable_blocks"}};
    return counters_in(payload, ETHTOOL_A_FEC_STATS, names);
}

}  // namespace netlink
