// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/model/finding_names.hpp"
#include "core/objects/link/parts.hpp"

// What a module or cable reports of itself.

namespace core {
namespace {

struct WhatRow {
    std::string_view what;
    std::string_view words;
    std::string_view remedy;
};
constexpr std::string_view kAnother = "the module or cable changed for another";
constexpr std::string_view kLight =
    "the other end switched on and up; then both ends of the fibre cleaned, then the cable and the "
    "modules of both ends changed, one after the other";
constexpr std::array kWhat = {
    WhatRow{"temperature", "the temperature of the module",
            "the air around the card and its cage: the fans, what covers them, the module next to "
            "it"},
    WhatRow{"voltage", "the voltage of the module", "the card, its slot and its power"},
    WhatRow{"rx_power", "the light received", kLight},
    WhatRow{"tx_power", "the light sent", kAnother},
    WhatRow{"tx_bias", "the current of the laser", kAnother},
    WhatRow{"rx_los", "the module receives no signal", kLight},
    WhatRow{"rx_lol", "the module cannot lock to the signal received",
            "the same speed at both ends; then the cable and the modules cleaned or changed"},
    WhatRow{"tx_los", "the module gets no signal from the card",
            "the module taken out and put in again, then another one"},
    WhatRow{"tx_lol", "the module cannot lock to the card's signal",
            "the module taken out and put in again, then another one"},
    WhatRow{"tx_fault", "the transmitter of the module has a fault", kAnother},
};

WhatRow row_for(const ModuleReading& reading) {
    const auto found = std::ranges::find(kWhat, reading.what, &WhatRow::what);
    return found == kWhat.end() ? WhatRow{reading.what, reading.what, kAnother} : *found;
}

bool is_alarm(Level level) {
    return level == Level::low_alarm || level == Level::high_alarm;
}
/// The link suffers from it.
bool is_grave(Level level) {
    return is_alarm(level) || level == Level::raised;
}
bool is_low(Level level) {
    return level == Level::low_alarm || level == Level::low_warning;
}

/// The readings that are reported in one sentence: of the same thing, at the same level.
using Alike = std::vector<const ModuleReading*>;

std::string values_text(const Alike& alike) {
    std::string out;
    for (const ModuleReading* each : alike) {
        if (each->value.empty()) continue;
        out += out.empty() ? "" : ", ";
        out += each->value;
    }
    return out;
}

/// ` (lanes 1, 3)`; nothing of what is the module's.
std::string lanes_text(const Alike& alike) {
    if (alike.front()->lane == 0) return {};
    std::string out = alike.size() == 1 ? " (lane " : " (lanes ";
    for (const ModuleReading* each : alike) {
        out += each == alike.front() ? "" : ", ";
        out += std::to_string(each->lane);
    }
    return out + ')';
}

std::string limit_text(Level level) {
    return std::string(is_low(level) ? "below" : "above") +
           (is_alarm(level) ? " its limit for an alarm" : " its limit for a warning");
}

Fault standing(const Alike& alike, Level level) {
    const WhatRow what = row_for(*alike.front());
    std::string text = std::string(what.words) + lanes_text(alike);
    if (level == Level::raised)
        return {.text = std::move(text), .remedy = std::string(what.remedy)};
    const std::string values = values_text(alike);
    text += values.empty() ? " is " : " is " + values + ", ";
    text += limit_text(level);
    return {
        .text = std::move(text), .remedy = std::string(what.remedy), .slight = !is_alarm(level)};
}

/// What is well now, and was not at some time since the earlier reading.
Fault passed(const Alike& alike, Level level) {
    const WhatRow what = row_for(*alike.front());
    std::string text = std::string(what.words) + lanes_text(alike);
    text += level == Level::raised ? ": so it was for a time" : " was " + limit_text(level);
    return {.text = text + " since the earlier reading", .remedy = std::string(what.remedy)};
}

/// A signal of the undo profile says why there is no link now, where there is none. What the card
/// does not send may be for lack of a link.
Level level_now(const ModuleReading& reading, bool linked) {
    const bool tells = reading.what.starts_with("rx_") || reading.what == "tx_fault";
    return !linked && tells && reading.latched == Level::raised ? Level::raised : reading.level;
}

/// Modules keep what was until somebody reads it: only what an earlier reading has cleared tells of
/// the time since then.
bool cleared_before(const Evidence& evidence) {
    return evidence.before != nullptr && evidence.before->transceiver &&
           evidence.before->transceiver != evidence.now->transceiver;
}

/// In the order in which the module tells them.
template <typename Get>
std::vector<std::pair<Level, Alike>> grouped(const Transceiver& module, Get level_of) {
    std::vector<std::pair<Level, Alike>> out;
    for (const ModuleReading& each : module.readings) {
        const Level level = level_of(each);
        if (level == Level::normal) continue;
        const auto same = std::ranges::find_if(out, [&](const auto& group) {
            return group.first == level && group.second.front()->what == each.what;
        });
        if (same != out.end())
            same->second.push_back(&each);
        else
            out.push_back({level, {&each}});
    }
    return out;
}

/// What is beyond a limit now: alarms and signals, or warnings.
Faults standing_of(const Evidence& evidence, bool alarms) {
    const bool linked = evidence.now->link && evidence.now->link->carrier;
    Faults out;
    const auto asked = [&](const ModuleReading& each) {
        const Level level = level_now(each, linked);
        return is_grave(level) == alarms ? level : Level::normal;
    };
    for (const auto& [level, alike] : grouped(*evidence.now->transceiver, asked))
        out.push_back(standing(alike, level));
    return out;
}

Faults alarmed(const Evidence& evidence) {
    return standing_of(evidence, true);
}

Faults warned(const Evidence& evidence) {
    Faults out = standing_of(evidence, false);
    if (!cleared_before(evidence)) return out;
    const bool linked = evidence.now->link && evidence.now->link->carrier;
    const auto asked = [&](const ModuleReading& each) {
        return level_now(each, linked) == Level::normal ? each.latched : Level::normal;
    };
    for (const auto& [level, alike] : grouped(*evidence.now->transceiver, asked))
        out.push_back(passed(alike, level));
    return out;
}

constexpr std::array<Keys, 1> kReadings = {"transceiver.readings"};
constexpr std::array<Keys, 1> kCarrierBeside = {"carrier"};
constexpr std::array<Ids, 1> kModuleIsOn = {"port-down"};
constexpr std::array<Ids, 5> kOfModule = {"no-carrier", "link-flapping", "fec-uncorrectable",
                                          "crc-errors", "symbol-errors"};

}  // namespace

const FindingRow findings::module_alarm{
    .id = "module-alarm",
    .why =
        "A module far beyond the limits of its maker garbles or loses the light: the link has "
        "errors, goes from time to time, or does not come.",
    .remedy = "the cable or module cleaned or changed",
    .manual = "rocectl-doctor(8), MODULES",
    .needs = {.keys = kReadings, .beside = kCarrierBeside, .sound = kModuleIsOn},
    .examines = CheckTarget::port,
    .cause = {.explains = kOfModule,
              .ruled_out_by = "the other end is off or was set down: then no light comes from it",
              .test = "ethtool -m PORT; the cable or module in another port"},
    .run = alarmed};
const FindingRow findings::module_warning{
    .id = "module-warning",
    .level = FindingLevel::note,
    .why =
        "A module near the limits of its maker, or beyond them for a time, is the first sign of "
        "dirt, heat or age: errors and a lost link come next.",
    .remedy = "the cable or module cleaned or changed when it suits",
    .manual = "rocectl-doctor(8), MODULES",
    .needs = {.keys = kReadings, .beside = kCarrierBeside, .sound = kModuleIsOn},
    .examines = CheckTarget::port,
    .cause = {.test = "ethtool -m PORT, some minutes apart"},
    .run = warned};

}  // namespace core
