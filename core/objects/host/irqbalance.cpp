// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::irqbalance {

namespace {

template <auto Part>
Got get_plain(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    return one(*(port.*Part));
}

template <auto Part>
void set_plain(Port& port, const Elements& elements) {
    using Held = typename std::remove_reference_t<decltype(port.*Part)>::value_type;
    port.*Part = plain<Held>(elements);
}

std::string by_hand(const Port& /*now*/, std::string_view /*element*/, const Value& value) {
    return std::string("systemctl ") + (value == Value(true) ? "enable" : "disable") +
           " --now irqbalance";
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("host.irqbalance", {.kind = flag},
            "Whether irqbalance runs, which moves interrupts away from where they were put. "
            "Verified, not set.",
            get_plain<&Port::irqbalance>, set_plain<&Port::irqbalance>),
};

constexpr std::array kAtBoot = {
    AtBoot{"host.irqbalance", BootProgram::services, "irqbalance.service", true, false, nullptr,
           "no"},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::irqbalance,
    .name = "irqbalance",
    .doc = "The daemon that moves interrupts between CPUs.",
    .topic = Topic::host,
    .lives = Lives::host,
    .fields = kFields,
    .words = {.remedy = [](const Driver&, const Port&) -> std::string_view {
                  return "systemctl disable --now irqbalance, or enable --now";
              },
              .by_hand = by_hand},
    .boot = {.programs = kAtBoot}};

}  // namespace core::irqbalance
