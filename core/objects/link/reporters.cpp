// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::reporters {

namespace {

constexpr std::array<std::string_view, 2> kStates = {"healthy", "error"};

Got get_reporters(const Port& port) {
    if (!port.reporters) return std::nullopt;
    Elements elements;
    for (const Reporter& one : *port.reporters)
        elements.emplace(one.name, Record{{"name", one.name},
                                          {"state", std::string(kStates.at(one.healthy ? 0 : 1))},
                                          {"errors", one.errors},
                                          {"recovered", one.recovered}});
    return elements;
}

void set_reporters(Port& port, const Elements& elements) {
    Reporters& all = port.reporters.emplace();
    for (const auto& [name, value] : elements) {
        const auto& record = std::get<Record>(value);
        all.push_back({.name = text_part(record, "name"),
                       .healthy = text_part(record, "state") == kStates.front(),
                       .errors = number_part(record, "errors"),
                       .recovered = number_part(record, "recovered")});
    }
}

using enum Shape::Kind;

constexpr Shape kCount = {.kind = counter, .max = kU64};

constexpr std::array kParts = {
    RecordPart{.name = "name",
               .shape = {.kind = text},
               .doc = "Its name, such as fw_fatal.",
               .required = true,
               .identity = true},
    RecordPart{.name = "state",
               .shape = {.kind = word, .words = kStates},
               .doc = "Whether what it watches is well.",
               .required = true},
    RecordPart{.name = "errors",
               .shape = kCount,
               .doc = "Errors that it saw since the driver was loaded.",
               .required = true},
    RecordPart{.name = "recovered",
               .shape = kCount,
               .doc = "After how many of them the driver put things right.",
               .required = true},
};

constexpr std::array kFields = {
    fact("health", {.kind = items, .parts = kParts},
         "What the driver's reporters say of the health of the port's device, by devlink.",
         get_reporters, set_reporters),
};

constexpr std::array kFoundBy = {Object::link, Object::device};  // which may know the PCI address

}  // namespace

constinit const ObjectRow row = {.object = Object::reporters,
                                 .name = "reporters",
                                 .doc = "What the driver says of the device's health.",
                                 .topic = Topic::bus,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy},
                                 .words = {.unsupported = "the port's driver has no devlink"}};

}  // namespace core::reporters
