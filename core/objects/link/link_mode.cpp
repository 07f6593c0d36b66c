// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/link_mode.hpp"

#include <charconv>

namespace core {
namespace {

/// Takes the number in front of the text away from it.
std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

template <typename T>
void agree(std::optional<T>& common, T value, bool first) {
    if (first)
        common = value;
    else if (common != value)
        common.reset();
}

bool agrees(const LinkModes& stated, const LinkMode& mode) {
    return (!stated.speed || *stated.speed == mode.speed) &&
           (!stated.lanes || *stated.lanes == mode.lanes) &&
           (stated.duplex.empty() || (stated.duplex == "full") == mode.full);
}

}  // namespace

std::optional<LinkMode> link_mode(std::string_view name) {
    constexpr std::string_view kBase = "base";
    LinkMode mode{.full = !name.ends_with("/Half")};
    const auto speed = take_number(name);
    if (!speed || !name.starts_with(kBase)) return std::nullopt;
    mode.speed = *speed;
    name.remove_prefix(kBase.size());
    const std::size_t digit = name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    name.remove_prefix(digit == std::string_view::npos ? name.size() : digit);
    mode.lanes = take_number(name).value_or(1);
    return mode;
}

CommonMode common_mode(const Flags& offered) {
    CommonMode common;
    bool full = false;
    bool half = false;
    bool first = true;
    for (const auto& [name, on] : offered) {
        const auto mode = link_mode(name);
        if (!on || !mode) continue;
        agree(common.speed, mode->speed, first);
        agree(common.lanes, mode->lanes, first);
        (mode->full ? full : half) = true;
        first = false;
    }
    if (full != half) common.duplex = full ? "full" : "half";
    return common;
}

Flags agreeing_modes(const LinkModes& stated) {
    Flags out = stated.offered;
    for (auto& [name, on] : out) {
        const auto mode = link_mode(name);
        on = mode && agrees(stated, *mode);
    }
    return out;
}

Flags modes_to_offer(const LinkModes& now, const LinkModes& then) {
    if (then.offered != now.offered) return then.offered;
    // Lanes and duplex that another speed had are not asked of this one.
    const bool other_speed = then.speed != now.speed;
    const bool lanes = !other_speed || then.lanes != now.lanes;
    const bool duplex = !other_speed || then.duplex != now.duplex;
    const CommonMode common = common_mode(now.offered);
    const bool there = common.speed == then.speed && (!lanes || common.lanes == then.lanes) &&
                       (!duplex || common.duplex == then.duplex);
    if (there) return now.offered;
    LinkModes desired{.speed = then.speed, .offered = now.offered};
    if (lanes) desired.lanes = then.lanes;
    if (duplex) desired.duplex = then.duplex;
    return agreeing_modes(desired);
}

}  // namespace core
