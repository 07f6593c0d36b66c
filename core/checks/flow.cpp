// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"
#include "core/model/nearest.hpp"

// What ports counted between two readings: who pauses whom, and whether congestion is reported
// before.

namespace core {
namespace {

constexpr std::array<Keys, 1> kStatistics = {"statistics"};
constexpr std::array<Keys, 1> kRdmaCounters = {"rdma.counters"};
constexpr std::array<Keys, 3> kBothAndPfc = {"statistics", "rdma.counters", "pfc.priorities"};
constexpr std::array<Meter, 2> kPausedBy = {Meter::rx_pause_us, Meter::rx_pause};
constexpr std::array<Meter, 3> kPauses = {Meter::tx_pause_us, Meter::tx_pause, Meter::storm_events};
constexpr std::array<Meter, 2> kRoceBytes = {Meter::roce_tx_bytes, Meter::roce_rx_bytes};
constexpr std::array<Meter, 1> kLinkPauses = {Meter::pause_frames};
constexpr std::array<Meter, 1> kMarks = {Meter::ecn_marked};
constexpr std::array<Meter, 1> kIgnored = {Meter::cnp_ignored};

/// Parts of the time for which the fabric pauses the priority: a burst takes less than the first,
/// and a port that stands for a fifth of its time is not a matter of bursts.
constexpr double kPausedWarns = 0.01;
constexpr double kPausedFails = 0.2;
/// A host that keeps up with its link has no need to pause its switch for longer than this.
constexpr double kPausesWarns = 0.001;
constexpr double kPausesFails = 0.05;
/// PFC frames a second, where nobody counts the time: a frame holds for at most 65535 times 512
/// bits, which is 0.34 ms at 100 Gb/s, so that so many hold a hundredth of the time.
constexpr double kPauseFrames = 30;
/// Bytes a second below which RDMA does no more than keep its connections.
constexpr double kIdle = 100'000;

std::string percent(double part) {
    constexpr double thousand = 1000;
    const std::int64_t tenths = nearest(part * thousand);
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " %";
}

/// Marks that a warning starts at, and a failure.
struct Limits {
    double warns = 0;
    double fails = 0;
};

Faults paused(const Evidence& evidence, Meter time, Meter frames, const Limits& limits,
              const std::string& who) {
    constexpr double million = 1e6;
    if (evidence.seconds <= 0) return {};
    if (const auto us = growth(evidence, time)) {
        const double part = rate(evidence, us->by) / million;
        if (part < limits.warns) return {};
        Faults out =
            fault(who + " for " + percent(part) + " of the time (" + text(*us, evidence) + ')');
        out.front().slight = part < limits.fails;
        return out;
    }
    const auto count = growth(evidence, frames);
    if (!count || rate(evidence, count->by) < kPauseFrames) return {};
    Faults out = fault(who + ": " + text(*count, evidence));
    out.front().slight = true;
    return out;
}

Faults paused_by_fabric(const Evidence& evidence) {
    return paused(evidence, Meter::rx_pause_us, Meter::rx_pause, {kPausedWarns, kPausedFails},
                  "the switch paused priority " + std::to_string(evidence.roce->priority));
}

Faults pauses_fabric(const Evidence& evidence) {
    Faults out = grown(evidence, Meter::storm_events,
                       "the device paused the switch until it was stopped from that");
    if (!out.empty()) return out;
    return paused(
        evidence, Meter::tx_pause_us, Meter::tx_pause, {kPausesWarns, kPausesFails},
        "this host paused priority " + std::to_string(evidence.roce->priority) + " of the switch");
}

/// What RDMA sent and received, where that is counted.
std::optional<std::uint64_t> roce_bytes(const Evidence& evidence) {
    const auto sent = growth(evidence, Meter::roce_tx_bytes);
    const auto received = growth(evidence, Meter::roce_rx_bytes);
    if (!sent || !received) return std::nullopt;
    return sent->by + received->by;
}

Faults paused_in_vain(const Evidence& evidence) {
    const auto bytes = roce_bytes(evidence);
    if (!bytes || evidence.seconds <= 0 || rate(evidence, *bytes) >= kIdle) return {};
    for (const Meter meter : {Meter::rx_pause, Meter::tx_pause}) {
        const auto frames = growth(evidence, meter);
        if (frames && rate(evidence, frames->by) >= kPauseFrames)
            return fault(text(*frames, evidence) + ", while RDMA moved " + std::to_string(*bytes) +
                         " bytes");
    }
    return {};
}

Faults unmarked(const Evidence& evidence) {
    const auto marks = growth(evidence, Meter::ecn_marked);
    if (!marks || marks->by != 0 || !evidence.roce->ecn) return {};
    for (const Meter meter : {Meter::rx_pause, Meter::tx_pause}) {
        const auto frames = growth(evidence, meter);
        if (frames && rate(evidence, frames->by) >= kPauseFrames)
            return fault(text(*frames, evidence) + ", and no packet came with a mark (" +
                         marks->name + ')');
    }
    return {};
}

/// A device that counts PFC among link-level pauses has both growing.
Faults stopped_whole(const Evidence& evidence) {
    const auto priority = growth(evidence, Meter::rx_pause);
    if (!evidence.roce->lossless || (priority && priority->by != 0)) return {};
    return grown(evidence, Meter::pause_frames,
                 "the other end pauses the whole link, every priority with it", true);
}

Faults ignored(const Evidence& evidence) {
    return grown(evidence, Meter::cnp_ignored,
                 "notifications of congestion came and slowed nobody down");
}

constexpr std::array<Ids, 1> kOfIdlePause = {"pfc-rx-storm"};
constexpr std::array<Ids, 2> kOfIgnored = {"pfc-rx-storm", "ack-timeouts"};
constexpr std::array<Ids, 1> kOfUnmarked = {"pfc-rx-storm"};

constexpr std::array kRowsFlow = {
    FindingRow{
        .id = "pause-without-traffic",
        .why = "Pauses without RDMA traffic come from elsewhere: another flow's congestion "
               "that spreads, or switches that wait for each other in a circle.",
        .remedy = "the switch's PFC watchdog, and which of its ports is paused first",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kStatistics, .before = true, .meters = kRoceBytes, .beside = kBothAndPfc},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfIdlePause, .ruled_out_by = "other traffic has the same priority"},
        .run = paused_in_vain},
    FindingRow{
        .id = "ecn-no-marks",
        .level = FindingLevel::note,
        .why = "Congestion that pauses ports and marks no packet: the switch does not mark, "
               "packets do not say that they can be marked, or marking starts later than "
               "pausing.",
        .remedy = "the switch's ECN thresholds below those of PFC; the two low bits of the "
                  "type of service 2 at the sender",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kRdmaCounters, .before = true, .meters = kMarks, .beside = kBothAndPfc},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfUnmarked, .ruled_out_by = "the fabric is meant to do without ECN"},
        .run = unmarked},
    FindingRow{.id = "cnp-ignored",
               .level = FindingLevel::note,
               .why = "The sender hears of congestion and does not slow down: its reaction is off.",
               .remedy = "ecn.react",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kRdmaCounters, .before = true, .meters = kIgnored},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfIgnored},
               .run = ignored},
    FindingRow{.id = "pfc-rx-storm",
               .why = "The fabric cannot take what this host sends: many send to one, or a host "
                      "that receives is slow and its pauses have spread up to here.",
               .remedy = "the host that receives; ECN, which is to act before PFC",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.before = true, .meters = kPausedBy, .beside = kBothAndPfc},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "pauses end with the traffic of another host",
                         .test = "rocectl doctor --window 10s, on the hosts that receive"},
               .run = paused_by_fabric},
    FindingRow{.id = "pause-frames",
               .level = FindingLevel::note,
               .why = "Where PFC is meant to stop one priority, link-level pause stops them all: "
                      "the switch port is set up for the other.",
               .remedy = "the switch port: PFC for the priority of RoCE, and link-level flow "
                         "control off; pause.rx false",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kStatistics,
                         .before = true,
                         .meters = kLinkPauses,
                         .beside = kBothAndPfc},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the device counts PFC frames among them",
                         .test = "ethtool -I -a PORT, a minute apart"},
               .run = stopped_whole},
    FindingRow{.id = "pfc-tx-storm",
               .why =
                   "This host does not take what arrives at the speed of its link, and stops the "
                   "switch: what else goes that way stops too.",
               .remedy = "the PCI Express link, the IOMMU and the memory that the device writes to",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.before = true, .meters = kPauses, .beside = kBothAndPfc},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the host receives at the speed of its link all the time",
                         .test = "rocectl doctor --only bus"},
               .run = pauses_fabric},
};

constexpr auto kAllFlow = each_of(kRowsFlow);

}  // namespace

const FindingGroup finding_group::flow{
    .name = "flow",
    .doc = "Who paused whom between two readings, and whether marks came before pauses.",
    .rows = kAllFlow};

}  // namespace core
