// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::speed {

namespace {

Got get_speed(const Port& port) {
    if (!port.speed) return std::nullopt;
    return one(std::uint64_t{*port.speed});
}

void set_speed(Port& port, const Elements& elements) {
    port.speed = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

std::optional<std::string> other_speed(const State& /*state*/, const Port& port,
                                       const Value& desired) {
    const auto speed = known(port);
    if (!speed) return std::nullopt;
    if (Value(std::uint64_t{*speed}) == desired) return std::string();
    return "the link has " + std::to_string(*speed) + " Mb/s, not " + core::text(desired);
}

constexpr std::array<std::string_view, 1> kChosen = {"link.speed"};
constexpr Proof kNegotiated = {.from = kChosen,
                               .after = "carrier",
                               .by_other_end = true,
                               .finding = &findings::other_speed,
                               .missing = other_speed};

using Kind = Shape::Kind;

constexpr std::array kFields = {
    fact("speed", {.kind = Kind::number, .max = kU32}, "Speed of the link, in Mb/s.", get_speed,
         set_speed, &kNegotiated),
};

}  // namespace

std::optional<std::uint32_t> known(const Port& port) {
    constexpr std::uint32_t unknown = kU32;
    return port.speed && *port.speed != 0 && *port.speed != unknown ? port.speed : std::nullopt;
}

constinit const ObjectRow row = {.object = Object::speed,
                                 .name = "speed",
                                 .doc = "Link speed.",
                                 .topic = Topic::link,
                                 .fields = kFields};

}  // namespace core::speed
