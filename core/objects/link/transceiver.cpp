// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::transceiver {

namespace {

constexpr std::array<std::string_view, 6> kLevels = {"normal",    "low_warning", "high_warning",
                                                     "low_alarm", "high_alarm",  "raised"};

Record record_of(const ModuleReading& reading) {
    Record out{{"what", reading.what},
               {"level", std::string(word(reading.level))},
               {"latched", std::string(word(reading.latched))}};
    if (reading.lane != 0) out.emplace("lane", std::uint64_t{reading.lane});
    if (!reading.value.empty()) out.emplace("value", reading.value);
    return out;
}

Got get_readings(const Port& port) {
    if (!port.transceiver) return std::nullopt;
    Elements elements;
    for (const ModuleReading& one : port.transceiver->readings)
        elements.emplace(name_of(one), record_of(one));
    return elements;
}

void set_readings(Port& port, const Elements& elements) {
    auto& all = part_of<&Port::transceiver>(port).readings;
    all.clear();
    for (const auto& [name, value] : elements) {
        const auto& record = std::get<Record>(value);
        all.push_back({.what = text_part(record, "what"),
                       .lane = static_cast<std::uint8_t>(number_part(record, "lane")),
                       .value = text_part(record, "value"),
                       .level = level_of(text_part(record, "level")),
                       .latched = level_of(text_part(record, "latched"))});
    }
}

using enum Shape::Kind;

constexpr Shape kLevel = {.kind = Shape::Kind::word, .words = kLevels};

constexpr std::array kParts = {
    RecordPart{.name = "what",
               .shape = {.kind = text},
               .doc = "temperature, voltage, rx_power, tx_power and tx_bias are measured; rx_los, "
                      "rx_lol, tx_los, tx_lol and tx_fault are raised.",
               .required = true,
               .identity = true},
    RecordPart{.name = "lane",
               .shape = {.kind = number, .min = 1, .max = 255},
               .doc = "Of which lane; none where it is of the whole module.",
               .identity = true},
    RecordPart{.name = "value", .shape = {.kind = text}, .doc = "What was measured."},
    RecordPart{.name = "level",
               .shape = kLevel,
               .doc = "Where that is now among the limits that the module has for it.",
               .required = true},
    RecordPart{.name = "latched",
               .shape = kLevel,
               .doc = "Where it was at some time since anybody read this before: a module forgets "
                      "it with the reading.",
               .required = true},
};

constexpr std::array kFields = {
    fact("transceiver.type", {.kind = text},
         "What is plugged into the port, a module or a cable: SFP, QSFP+, QSFP28, QSFP-DD, OSFP.",
         get_text<&Port::transceiver, &Transceiver::type>,
         set_text<&Port::transceiver, &Transceiver::type>),
    fact("transceiver.vendor", {.kind = text}, "Who made it.",
         get_text<&Port::transceiver, &Transceiver::vendor>,
         set_text<&Port::transceiver, &Transceiver::vendor>),
    fact("transceiver.part", {.kind = text}, "Its maker's number for this kind.",
         get_text<&Port::transceiver, &Transceiver::part>,
         set_text<&Port::transceiver, &Transceiver::part>),
    fact("transceiver.readings", {.kind = items, .parts = kParts},
         "What it measures and reports of itself and of each lane in use. Copper cables measure "
         "nothing.",
         get_readings, set_readings),
};

}  // namespace

std::string_view word(Level level) {
    return kLevels.at(static_cast<std::size_t>(level));
}

Level level_of(std::string_view word) {
    const auto found = std::ranges::find(kLevels, word);
    return found == kLevels.end() ? Level::normal : static_cast<Level>(found - kLevels.begin());
}

std::string name_of(const ModuleReading& reading) {
    return reading.lane == 0 ? reading.what
                             : reading.what + " lane " + std::to_string(reading.lane);
}

constinit const ObjectRow row = {.object = Object::transceiver,
                                 .name = "transceiver",
                                 .doc = "What is plugged into the port, and what it measures.",
                                 .topic = Topic::link,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true},
                                 .words = {.unsupported = "the driver does not read transceivers"}};

}  // namespace core::transceiver
