// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <span>
#include <vector>

#include "core/model/letters.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/link/codecs.hpp"

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

/// Asks for what IEEE 802.3 and RMON define, which drivers tell under one name each.
Message standard_statistics_message(Machine& machine, const std::string& port) {
    Message request = ethtool_message(machine, ETHTOOL_MSG_STATS_GET, ETHTOOL_A_STATS_HEADER, port);
    core::Flags groups;
    for (const StandardGroup& group : kStandard)
        groups.emplace(group.name, true);
    put_bitset(request, ETHTOOL_A_STATS_GROUPS, {}, groups);
    return request;
}

}  // namespace

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
    // ETHTOOL_A_PAUSE_STAT_TX_PAUSE_STORM_EVENTS of newer headers
    // (include/uapi/linux/ethtool_netlink_generated.h, Linux 7.2)
    constexpr int storm_events = ETHTOOL_A_PAUSE_STAT_RX_FRAMES + 1;
    constexpr std::array names = {CounterName{ETHTOOL_A_PAUSE_STAT_TX_FRAMES, "tx_pause_frames"},
                                  CounterName{ETHTOOL_A_PAUSE_STAT_RX_FRAMES, "rx_pause_frames"},
                                  CounterName{storm_events, "tx_pause_storm_events"}};
    return counters_in(payload, ETHTOOL_A_PAUSE_STATS, names);
}

core::Statistics decode_fec_statistics(Bytes payload) {
    constexpr std::array names = {
        CounterName{ETHTOOL_A_FEC_STAT_CORRECTED, "fec_corrected_blocks"},
        CounterName{ETHTOOL_A_FEC_STAT_UNCORR, "fec_uncorrectable_blocks"}};
    return counters_in(payload, ETHTOOL_A_FEC_STATS, names);
}

namespace {

/// More than any driver has; a driver that is loaded anew between two calls may have others.
constexpr std::uint32_t kMost = 65536;

void exchange(Machine& machine, const std::string& port, void* data) {
    ifreq request{};
    port.copy(request.ifr_name, sizeof(request.ifr_name) - 1);
    request.ifr_data = static_cast<char*>(data);
    if (ioctl(machine.control(), SIOCETHTOOL, &request) < 0) throw KernelError(errno);
}

template <typename Head>
Head head_of(const std::vector<std::uint64_t>& buffer) {
    Head head{};
    std::memcpy(&head, buffer.data(), sizeof(head));
    return head;
}

/// A buffer that starts with the head and has room for so many bytes after it.
template <typename Head>
std::vector<std::uint64_t> room_for(const Head& head, std::size_t bytes) {
    std::vector<std::uint64_t> buffer((sizeof(head) + bytes) / sizeof(std::uint64_t) + 1);
    std::memcpy(buffer.data(), &head, sizeof(head));
    return buffer;
}

std::uint32_t count_of(Machine& machine, const std::string& port) {
    ethtool_sset_info head{};
    head.cmd = ETHTOOL_GSSET_INFO;
    head.sset_mask = std::uint64_t{1} << unsigned{ETH_SS_STATS};
    auto buffer = room_for(head, sizeof(std::uint32_t));
    exchange(machine, port, buffer.data());
    if (head_of<ethtool_sset_info>(buffer).sset_mask == 0) return 0;
    std::uint32_t count = 0;
    std::memcpy(&count, reinterpret_cast<const std::byte*>(buffer.data()) + sizeof(head),
                sizeof(count));
    return std::min(count, kMost);
}

core::Statistics own_statistics(Machine& machine, const std::string& port) {
    const std::uint32_t count = count_of(machine, port);
    if (count == 0) throw KernelError(EOPNOTSUPP);
    ethtool_gstrings strings{};
    strings.cmd = ETHTOOL_GSTRINGS;
    strings.string_set = ETH_SS_STATS;
    strings.len = count;
    auto names = room_for(strings, std::size_t{count} * ETH_GSTRING_LEN);
    exchange(machine, port, names.data());
    ethtool_stats stats{};
    stats.cmd = ETHTOOL_GSTATS;
    stats.n_stats = count;
    auto values = room_for(stats, std::size_t{count} * sizeof(std::uint64_t));
    exchange(machine, port, values.data());
    const std::size_t known = std::min(
        {count, head_of<ethtool_gstrings>(names).len, head_of<ethtool_stats>(values).n_stats});
    static_assert(sizeof(ethtool_stats) == sizeof(std::uint64_t));
    const auto* const first =
        reinterpret_cast<const std::byte*>(names.data()) + sizeof(ethtool_gstrings);
    return decode_statistics({first, known * ETH_GSTRING_LEN}, std::span(values).subspan(1, known));
}

}  // namespace

bool is_of_queue(std::string_view name) {
    if (name.starts_with('[')) return true;
    constexpr std::array<std::string_view, 9> starts = {
        "rx_queue_", "tx_queue_", "queue_", "rx-", "tx-", "rx", "tx", "ch", "xdp"};
    return std::ranges::any_of(starts, [&](std::string_view start) {
        return name.size() > start.size() && name.starts_with(start) &&
               core::is_digit(name[start.size()]);
    });
}

core::Statistics decode_statistics(Bytes names, std::span<const std::uint64_t> values) {
    core::Statistics out;
    for (std::size_t i = 0; i < values.size() && (i + 1) * ETH_GSTRING_LEN <= names.size(); ++i) {
        const auto* const start = reinterpret_cast<const char*>(names.data()) + i * ETH_GSTRING_LEN;
        const std::string_view padded(start, strnlen(start, ETH_GSTRING_LEN));
        // Some drivers indent what belongs to another.
        const std::size_t first = padded.find_first_not_of(' ');
        if (first == std::string_view::npos) continue;
        std::string name(padded.substr(first, padded.find_last_not_of(' ') - first + 1));
        if (!is_of_queue(name)) out.emplace(std::move(name), values[i]);
    }
    return out;
}

namespace {

/// What each port can be asked for and few drivers count; whether this one does.
bool add_answer(Machine& machine, Message request, core::Statistics (*decode)(Bytes),
                core::Statistics& found) {
    bool counts = false;
    try {
        machine.generic().get(request, [&](const Reply& reply) {
            core::Statistics answer = decode(reply.payload);
            counts = counts || !answer.empty();
            found.merge(answer);
        });
    } catch (const KernelError& error) {
        if (error.code != EOPNOTSUPP) throw;
    }
    return counts;
}

/// `not_of_pairs` are the requests to which one end of a veth had no answer, or one without a
/// counter in it: all of them have one driver's table (PairsRefuse in codec.hpp).
void add_statistics(Machine& machine, core::Port& port, std::set<int>& not_of_pairs) {
    core::Statistics found;
    try {
        found = own_statistics(machine, port.name);
    } catch (const KernelError& error) {
        if (error.code != EOPNOTSUPP) throw;
    }
    const auto message = [&](int command, int header) {
        return ethtool_message(machine, command, header, port.name, ETHTOOL_FLAG_STATS);
    };
    const auto add = [&](int command, const auto& request, core::Statistics (*decode)(Bytes)) {
        if (is_veth(port) && not_of_pairs.contains(command)) return;
        if (!add_answer(machine, request(), decode, found) && is_veth(port))
            not_of_pairs.insert(command);
    };
    add(
        ETHTOOL_MSG_FEC_GET, [&] { return message(ETHTOOL_MSG_FEC_GET, ETHTOOL_A_FEC_HEADER); },
        decode_fec_statistics);
    add(
        ETHTOOL_MSG_PAUSE_GET,
        [&] { return message(ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER); },
        decode_pause_statistics);
    add(
        ETHTOOL_MSG_STATS_GET, [&] { return standard_statistics_message(machine, port.name); },
        decode_standard_statistics);
    if (found.empty()) throw KernelError(EOPNOTSUPP);
    port.statistics = std::move(found);
}

}  // namespace

void read_statistics(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    std::set<int> not_of_pairs;
    for (core::Port& port : state.ports)
        attempt(port, {core::Object::statistics},
                [&] { add_statistics(machine, port, not_of_pairs); });
}

}  // namespace netlink
