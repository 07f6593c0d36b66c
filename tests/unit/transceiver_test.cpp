// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/checks/evidence.hpp"
#include "core/model/finding_names.hpp"

// What the readings of a module mean for the link.

namespace transceiver_test {

namespace {

using core::Level;
using core::ModuleReading;

core::Port port_with(std::vector<ModuleReading> readings, bool carrier = true) {
    core::Port port("port");
    port.link = core::Link{.up = true, .carrier = carrier};
    port.transceiver = core::Transceiver{.type = "QSFP28", .readings = std::move(readings)};
    return port;
}

std::vector<std::string> reported(const core::FindingRow& row, const core::Port& now,
                                  const core::Port* before = nullptr) {
    std::vector<std::string> out;
    for (const core::Fault& fault : row.run({.now = &now, .before = before}))
        out.push_back(fault.text);
    return out;
}

using Texts = std::vector<std::string>;
constexpr const core::FindingRow& kAlarm = core::findings::module_alarm;
constexpr const core::FindingRow& kWarning = core::findings::module_warning;

const ModuleReading kDark = {.what = "rx_power",
                             .lane = 1,
                             .value = "-26.99 dBm",
                             .level = Level::low_alarm,
                             .latched = Level::low_alarm};
const ModuleReading kWarm = {
    .what = "temperature", .value = "71.20 C", .level = Level::high_warning};

}  // namespace

TEST_CASE("module-alarm: lanes that have the same are reported together, with what was measured") {
    ModuleReading other = kDark;
    other.lane = 3;
    other.value = "-19.10 dBm";
    const core::Port port = port_with({kDark, other, kWarm});
    CHECK(reported(kAlarm, port) ==
          Texts{"the light received (lanes 1, 3) is -26.99 dBm, -19.10 dBm, "
                "below its limit for an alarm"});
    CHECK(reported(kWarning, port) ==
          Texts{"the temperature of the module is 71.20 C, above its limit for a warning"});
    CHECK(kAlarm.run({.now = &port}).front().remedy.starts_with("the other end switched on"));
    CHECK(kWarning.run({.now = &port}).front().remedy.starts_with("the air around the card"));
    // By its flag alone, where no value can be read.
    const core::Port flagged =
        port_with({{.what = "tx_bias", .lane = 2, .level = Level::high_alarm}});
    CHECK(reported(kAlarm, flagged) ==
          Texts{"the current of the laser (lane 2) is above its limit for an alarm"});
}

TEST_CASE("module-alarm: a signal that was lost once matters while there is no link") {
    const std::vector<ModuleReading> lost = {
        {.what = "rx_los", .lane = 1, .latched = Level::raised},
        {.what = "rx_los", .lane = 2, .latched = Level::raised},
        {.what = "tx_los", .lane = 1, .latched = Level::raised}};
    CHECK(reported(kAlarm, port_with(lost)).empty());
    // What the card does not send may be for lack of a link.
    CHECK(reported(kAlarm, port_with(lost, false)) ==
          Texts{"the module receives no signal (lanes 1, 2)"});
    const core::Port now = port_with(
        {{.what = "tx_fault", .lane = 1, .level = Level::raised, .latched = Level::raised}});
    CHECK(reported(kAlarm, now) == Texts{"the transmitter of the module has a fault (lane 1)"});
}

TEST_CASE(
    "module-warning: what was for a time is reported of the time since a reading cleared it") {
    ModuleReading undo_profile = kDark;
    undo_profile.value = "-2.00 dBm";
    undo_profile.level = Level::normal;
    const core::Port now =
        port_with({undo_profile, {.what = "rx_los", .lane = 1, .latched = Level::raised}});
    CHECK(reported(kWarning, now).empty());
    const core::Port before = port_with({});
    CHECK(reported(kWarning, now, &before) ==
          Texts{"the light received (lane 1) was below its limit for an alarm since the earlier "
                "reading",
                "the module receives no signal (lane 1): so it was for a time since the earlier "
                "reading"});
    // The same reading twice is one.
    CHECK(reported(kWarning, now, &now).empty());
    CHECK(reported(kAlarm, now, &before).empty());
}

}  // namespace transceiver_test
