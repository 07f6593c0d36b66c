// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/objects/link/parts.hpp"

// Whether RoCE may send as much as the link carries, also when others send.

namespace core {
namespace {

constexpr std::array<Keys, 2> kLimits = {"maxrate", "ets.traffic_class"};
constexpr std::array<Keys, 1> kSpeedBeside = {"speed"};
constexpr std::array<Keys, 2> kAlgorithms = {"ets.algorithm", "ets.traffic_class"};

Faults rate_limited(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const unsigned priority = evidence.roce->priority;
    const std::size_t own = port.ets->traffic_class.at(priority);
    if (own >= kPriorities) return {};
    const std::uint64_t limit = port.maxrate->kbit.at(own);
    constexpr std::uint64_t kbit_per_mbit = 1000;
    const auto speed = speed::known(port);
    const bool binds = !speed || limit < *speed * kbit_per_mbit;
    Numbers rates(port.maxrate->kbit.begin(), port.maxrate->kbit.end());
    if (limit == 0 || !binds || is_desired(evidence, "maxrate", rates)) return {};
    rates[own] = 0;
    const Desired* desired = find_desired(evidence, "maxrate");
    Faults out = fault(
        "traffic class " + std::to_string(own) + ", in which priority " + std::to_string(priority) +
            " of RoCE is, sends at most " + std::to_string(limit) + " kbit/s",
        fixed(port, "maxrate", desired != nullptr && desired->value ? *desired->value : rates));
    out.front().slight = !speed;
    return out;
}

/// Strict classes are served before those that share (IEEE 802.1Q 37.3). One for notifications of
/// congestion is small; that of priority 0 has everything that nobody gave a priority.
Faults strict_before(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Ets& ets = *port.ets;
    const unsigned priority = evidence.roce->priority;
    const std::size_t own = ets.traffic_class.at(priority);
    const std::size_t others = ets.traffic_class.at(0);
    if (!evidence.roce->lossless || priority == 0 || own >= kPriorities || others >= kPriorities ||
        ets.algorithm.at(own) != Ets::shared || ets.algorithm.at(others) != Ets::strict)
        return {};
    return fault("traffic class " + std::to_string(others) +
                 ", in which priority 0 is, is strict, and class " + std::to_string(own) +
                 " of RoCE has a share of what that leaves");
}

constexpr std::array kRowsBandwidth = {
    FindingRow{.id = "rate-limited",
               .why = "What the class sends above its limit waits in the host, whatever the link "
                      "could carry.",
               .remedy = "maxrate with 0 for the class of RoCE",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kLimits, .beside = kSpeedBeside},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the limit is meant: a profile says so",
                         .test = "dcb maxrate show dev PORT"},
               .run = rate_limited},
    FindingRow{.id = "strict-before-roce",
               .level = FindingLevel::note,
               .why =
                   "A strict class is served first: while TCP has something to send, RoCE waits, "
                   "and PFC stops whoever sends to this host.",
               .remedy = "ets.algorithm ets for the class of priority 0, with a share",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kAlgorithms},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "nothing but RoCE sends much by this port",
                         .test = "dcb ets show dev PORT"},
               .run = strict_before},
};

constexpr auto kAllBandwidth = each_of(kRowsBandwidth);

}  // namespace

const FindingGroup finding_group::bandwidth{
    .name = "bandwidth",
    .doc = "Whether RoCE may send as much as the link carries, also when others send.",
    .rows = kAllBandwidth};

}  // namespace core
