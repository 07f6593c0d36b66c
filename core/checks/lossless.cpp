// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/checks.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 2> kRxPause = {"pause.rx", "pfc.priorities"};
constexpr std::array<Keys, 2> kTxPause = {"pause.tx", "pfc.priorities"};
constexpr std::array<Keys, 1> kPfc = {"pfc.priorities"};
constexpr std::array<Keys, 2> kShares = {"ets.bandwidth", "ets.algorithm"};
constexpr std::array<Keys, 2> kClass = {"ets.traffic_class", "pfc.priorities"};
constexpr std::array<Keys, 2> kBuffer = {"buffer.of_priority", "pfc.priorities"};

Faults pause_beside_pfc(const Port& port, bool on, const char* direction) {
    if (!on || port.pfc->priorities == 0) return {};
    Faults out = fault("link-level pause (" + std::string(direction) +
                       ") is on beside PFC: it stops every priority, and no device runs both");
    // Both directions are one object, which one command sets.
    if (port.pause->rx) out.front().fix.push_back(fixed(port, "pause.rx", false));
    if (port.pause->tx) out.front().fix.push_back(fixed(port, "pause.tx", false));
    return out;
}

Faults rx_pause_on(const Evidence& evidence) {
    const Port& port = *evidence.now;
    return pause_beside_pfc(port, port.pause->rx, "rx");
}

Faults tx_pause_on(const Evidence& evidence) {
    const Port& port = *evidence.now;
    return pause_beside_pfc(port, port.pause->tx, "tx");
}

Faults pfc_on_all(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (port.pfc->priorities != 0xff) return {};
    return fault(
        "PFC is on for all eight priorities: nothing is left that may be dropped, and one slow "
        "receiver stops everything");
}

Faults shares(const Evidence& evidence) {
    const Port& port = *evidence.now;
    unsigned sum = 0;
    bool any = false;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        if (port.ets->algorithm.at(i) != Ets::shared) continue;
        any = true;
        sum += port.ets->bandwidth.at(i);
    }
    if (any && sum != 100)
        return fault("the shares of the classes with algorithm ets sum to " + std::to_string(sum) +
                     ", expected 100");
    for (std::size_t i = 0; i < kPriorities; ++i)
        if (port.ets->algorithm.at(i) != Ets::shared && port.ets->bandwidth.at(i) != 0)
            return fault("traffic class " + std::to_string(i) + " has a share of " +
                         std::to_string(port.ets->bandwidth.at(i)) +
                         " percent, but its algorithm is not ets");
    return {};
}

/// A pause stops all that shares the class, and what shares the buffer takes the room that is
/// kept for what arrives after the pause.
Faults shared(const Port& port, const PerPriority<std::uint8_t>& place, std::string_view key,
              const char* what) {
    for (unsigned priority = 0; priority < kPriorities; ++priority)
        for (unsigned other = 0; is_lossless(port, priority) && other < kPriorities; ++other) {
            if (is_lossless(port, other) || place.at(other) != place.at(priority)) continue;
            return {{.text = "lossless priority " + std::to_string(priority) + " shares " + what +
                             ' ' + std::to_string(place.at(other)) + " with priority " +
                             std::to_string(other) + ", which may drop",
                     .remedy = std::string(key) + " that keeps priority " +
                               std::to_string(priority) + " apart"}};
        }
    return {};
}

Faults class_shared(const Evidence& evidence) {
    const Port& port = *evidence.now;
    return shared(port, port.ets->traffic_class, kClass.front(), "traffic class");
}

Faults buffer_shared(const Evidence& evidence) {
    const Port& port = *evidence.now;
    return shared(port, port.buffer->of_priority, kBuffer.front(), "buffer");
}

constexpr std::array<Ids, 1> kOtherWay = {"pfc-with-tx-pause"};

constexpr std::array kRowsLossless = {
    FindingRow{.id = "pfc-with-rx-pause",
               .why = "Link-level pause received from the switch stops every priority at once.",
               .remedy = "pause.rx false",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kRxPause},
               .cause = {.explains = kOtherWay},
               .run = rx_pause_on},
    FindingRow{.id = "pfc-with-tx-pause",
               .why = "Link-level pause sent to the switch stops every priority at once.",
               .remedy = "pause.tx false",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kTxPause},
               .run = tx_pause_on},
    FindingRow{
        .id = "pfc-on-all",
        .why = "A fabric needs priorities that may drop, else a pause storm stops all traffic.",
        .remedy = "pfc.priorities with the RoCE priority alone",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kPfc},
        .run = pfc_on_all},
    FindingRow{.id = "ets-shares",
               .why = "The classes that share bandwidth share all of it (IEEE 802.1Q 37); the "
                      "others have none.",
               .remedy = "ets.bandwidth that sums to 100 over the ets classes",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kShares},
               .run = shares},
    FindingRow{.id = "lossless-shared",
               .why = "A pause stops all that shares the traffic class of the lossless priority.",
               .remedy = "ets.traffic_class that keeps the lossless priority apart",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kClass},
               .run = class_shared},
    FindingRow{.id = "buffer-shared",
               .why = "What shares the buffer takes the room that is kept for what arrives after "
                      "the pause. As long as firmware places the priorities, nobody knows.",
               .remedy = "buffer.of_priority that keeps the lossless priority apart",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kBuffer},
               .run = buffer_shared},
};
constexpr auto kAllLossless = each_of(kRowsLossless);

}  // namespace

const FindingGroup finding_group::lossless{
    .name = "lossless", .doc = "What keeps RoCE traffic from being dropped.", .rows = kAllLossless};

}  // namespace core
