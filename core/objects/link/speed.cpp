// SPDX-License-Identifier: Apache-2.0
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

using enum Shape::Kind;

constexpr std::array kFields = {
    fact("speed", {.kind = number, .max = kU32}, "Speed of the link, in Mb/s.", get_speed,
         set_speed),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::speed,
                                 .name = "speed",
                                 .doc = "Link speed.",
                                 .topic = Topic::link,
                                 .fields = kFields};

}  // namespace core::speed
