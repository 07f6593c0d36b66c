// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <set>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

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

namespace {

/// Each mode, and whether it agrees with the speed, lanes and duplex that are stated.
Flags agreeing_modes(const LinkModes& stated) {
    Flags out = stated.offered;
    for (auto& [name, on] : out) {
        const auto mode = link_mode(name);
        on = mode && agrees(stated, *mode);
    }
    return out;
}

}  // namespace

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

namespace core::link_modes {

namespace {

/// None where several are offered; of a forced speed, none where the driver does not tell it:
/// most do only while there is a link.
template <auto Member>
Got get_choice(const Port& port) {
    if (!port.link_modes) return std::nullopt;
    const auto& choice = (*port.link_modes).*Member;
    return choice ? one(std::uint64_t{*choice}) : Elements{};
}

Got get_offered(const Port& port) {
    if (!port.link_modes) return std::nullopt;
    return Elements(port.link_modes->offered.begin(), port.link_modes->offered.end());
}

void set_offered(Port& port, const Elements& elements) {
    auto& offered = part_of<&Port::link_modes>(port).offered;
    offered.clear();
    for (const auto& [name, on] : elements)
        offered.emplace(name, std::get<bool>(on));
}

Got get_fec_modes(const Port& port) {
    if (!port.link_modes) return std::nullopt;
    Elements elements;
    for (const std::string& name : port.link_modes->fec)
        elements.emplace(name, name);
    return elements;
}

void set_fec_modes(Port& port, const Elements& elements) {
    auto& fec = part_of<&Port::link_modes>(port).fec;
    fec.clear();
    for (const auto& [name, value] : elements)
        fec.insert(name);
}

constexpr std::array<std::string_view, 2> kDuplex = {"full", "half"};

constexpr std::array<std::string_view, 2> kModes = {"25000baseCR/Full", "100000baseCR4/Full"};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kFields = {
    setting("link.autoneg", {.kind = flag},
            "The port negotiates the speed with the other end of the link.",
            get_flag<&Port::link_modes, &LinkModes::autoneg>,
            set_flag<&Port::link_modes, &LinkModes::autoneg>),
    setting("link.speed", {.kind = number, .min = 1, .max = kU32},
            "The only speed that the port may have, in Mb/s: forced, or where it negotiates, the "
            "one it offers; absent where it offers several. What came of it is speed.",
            get_choice<&LinkModes::speed>, set_reported<&Port::link_modes, &LinkModes::speed>),
    setting("link.duplex", {.kind = word, .words = kDuplex},
            "Duplex of the speed that is forced, or of every mode that is offered.",
            get_text<&Port::link_modes, &LinkModes::duplex>,
            set_text<&Port::link_modes, &LinkModes::duplex>),
    setting("link.lanes", {.kind = number, .min = 1, .max = 8},
            "Lanes of the speed that is forced, where the driver tells them, or of every mode that "
            "is offered.",
            get_choice<&LinkModes::lanes>, set_reported<&Port::link_modes, &LinkModes::lanes>),
    kept("link.offered", {.kind = named, .words = kModes, .of = &kFlag},
         "Link modes of the port, by the kernel's names, and whether it offers them to the other "
         "end.",
         get_offered, set_offered),
    fact("link.can_negotiate", {.kind = flag}, "The port can negotiate a speed.",
         get_flag<&Port::link_modes, &LinkModes::can_negotiate>,
         set_flag<&Port::link_modes, &LinkModes::can_negotiate>),
    fact("link.fec_supported", {.kind = items, .text = Text::name},
         "Forward error correction that the port tells it has.", get_fec_modes, set_fec_modes),
};

/// Lanes that are to be forced; those that negotiation had chosen are not.
bool forces_lanes(const LinkModes& now, const LinkModes& then) {
    return !then.autoneg && then.lanes && then.lanes != now.lanes;
}

std::string speeds_of(const Flags& offered) {
    std::set<std::uint32_t> speeds;
    for (const auto& [name, on] : offered)
        if (const auto mode = link_mode(name)) speeds.insert(mode->speed);
    std::string out;
    for (const std::uint32_t speed : speeds)
        out += (out.empty() ? "" : ", ") + std::to_string(speed);
    return out;
}

bool any_on(const Flags& flags) {
    for (const auto& [name, on] : flags)
        if (on) return true;
    return false;
}

/// Why the port has no mode such as is stated. One that lists no modes is not asked.
Reason no_such_mode(const LinkModes& now, const LinkModes& then) {
    if (now.offered.empty()) return std::nullopt;
    const LinkModes of_speed{.speed = then.speed, .offered = now.offered};
    if (!any_on(agreeing_modes(of_speed)))
        return "the port has no link mode of " + std::to_string(then.speed.value_or(0)) +
               " Mb/s, only of " + speeds_of(now.offered);
    LinkModes stated{.speed = then.speed, .duplex = then.duplex, .offered = now.offered};
    if (then.lanes != now.lanes) stated.lanes = then.lanes;
    const bool there = any_on(then.autoneg ? modes_to_offer(now, then) : agreeing_modes(stated));
    if (there) return std::nullopt;
    std::string reason = "the port has no link mode";
    if (then.speed) reason += " of " + std::to_string(*then.speed) + " Mb/s";
    if (!then.duplex.empty()) reason += ", " + then.duplex + " duplex";
    if (stated.lanes) reason += ", over " + std::to_string(*stated.lanes) + " lanes";
    return reason;
}

Reason cannot_force(const Driver& driver, const LinkModes& now, const LinkModes& then) {
    if (then.autoneg) return std::nullopt;
    if (!then.speed) return "a port that does not negotiate has one speed; state link.speed";
    if (driver.link_modes.lanes_negotiated && forces_lanes(now, then))
        return std::string(driver.name) + " takes lanes only with link.autoneg on";
    return std::nullopt;
}

Reason cannot_negotiate(const Driver& driver, const LinkModes& now, const LinkModes& then) {
    if (!then.autoneg) return std::nullopt;
    if (!now.can_negotiate) return "the port does not negotiate";
    if (driver.link_modes.negotiates_all && now.autoneg && modes_to_offer(now, then) != now.offered)
        return std::string(driver.name) + " negotiates every mode that the port has";
    return std::nullopt;
}

/// What mlx5 offers while it forces a speed: the modes of that speed.
Flags only_of_speed(const LinkModes& forced) {
    return agreeing_modes({.speed = forced.speed, .offered = forced.offered});
}

LinkModes result(const Driver& driver, const LinkModes& now, const LinkModes& then) {
    LinkModes after = now;
    after.autoneg = then.autoneg;
    if (then.autoneg) {
        if (!driver.link_modes.negotiates_all) after.offered = modes_to_offer(now, then);
        CommonMode common = common_mode(after.offered);
        after.speed = common.speed;
        after.lanes = common.lanes;
        after.duplex = std::move(common.duplex);
        return after;
    }
    after.speed = then.speed;
    after.duplex = then.duplex.empty() ? "full" : then.duplex;
    if (forces_lanes(now, then))
        after.lanes = then.lanes;
    else if (now.autoneg)
        after.lanes.reset();
    if (driver.link_modes.forced_speed_offered)
        after.offered = only_of_speed(after);
    else if (!driver.link_modes.negotiates_all)
        after.offered = then.offered;
    return after;
}

void spell_offer(std::string& line, const Flags& now, const Flags& then) {
    bool first = true;
    for (const auto& [name, on] : then) {
        const auto before = now.find(name);
        if (before != now.end() && before->second == on) continue;
        line += (first ? " advertise " : " ") + name + (on ? " on" : " off");
        first = false;
    }
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    const LinkModes& before = *now.link_modes;
    const LinkModes& after = *then.link_modes;
    if (Reason reason = cannot_negotiate(driver, before, after)) return reason;
    if (Reason reason = cannot_force(driver, before, after)) return reason;
    return no_such_mode(before, after);
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    now.link_modes = result(driver, *now.link_modes, *then.link_modes);
    if (now.speed && now.link_modes->speed) now.speed = now.link_modes->speed;
    return std::nullopt;
}

std::string spell_one(const std::string& port, const LinkModes& now, const LinkModes& then) {
    std::string line = "ethtool --change " + port + " autoneg " + (then.autoneg ? "on" : "off");
    if (then.autoneg) {
        spell_offer(line, now.offered, modes_to_offer(now, then));
        return line;
    }
    line += " speed " + std::to_string(then.speed.value_or(0));
    line += " duplex " + (then.duplex.empty() ? "full" : shell(then.duplex));
    if (forces_lanes(now, then)) line += " lanes " + std::to_string(*then.lanes);
    return line;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    Commands lines;
    LinkModes before = *now.link_modes;
    for (const LinkModes& edit : edits(driver, before, *then.link_modes)) {
        lines.push_back(spell_one(shell(now.name), before, edit));
        before = result(driver, before, edit);
    }
    return lines;
}

/// The kernel answers "lanes configuration not supported by device" (net/ethtool/linkmodes.c) for a
/// driver without cap_link_lanes_supported.
Reason remarks(const Driver& driver, const Host& host, const Port& now, const Port& then) {
    const Release& since = driver.link_modes.lanes_forced_since;
    if (!is_before(host, since) || !forces_lanes(*now.link_modes, *then.link_modes))
        return std::nullopt;
    return std::string(driver.name) + " before Linux " + core::text(since) +
           " takes lanes only with link.autoneg on, and this is " + host.kernel +
           ": unless that was fixed in it, the write is refused";
}

constexpr std::array kTouches = {Object::speed};

constexpr std::array kAtBoot = {
    AtBoot{"link.autoneg", BootProgram::link_file, "Link.AutoNegotiation"},
    AtBoot{"link.duplex", BootProgram::link_file, "Link.Duplex"},
    AtBoot{"link.speed", BootProgram::link_file, "Link.BitsPerSecond", false},
    AtBoot{"link.autoneg", BootProgram::network_manager, "ethernet.auto-negotiate"},
    AtBoot{"link.duplex", BootProgram::network_manager, "ethernet.duplex"},
    AtBoot{"link.speed", BootProgram::network_manager, "ethernet.speed"},
};

}  // namespace

std::vector<LinkModes> edits(const Driver& driver, const LinkModes& now, const LinkModes& then) {
    const bool settable =
        !driver.link_modes.forced_speed_offered && !driver.link_modes.negotiates_all;
    if (then.autoneg || !settable || then.offered == now.offered) return {then};
    const CommonMode common = common_mode(then.offered);
    LinkModes first = then;
    first.autoneg = true;
    first.speed = common.speed;
    first.lanes = common.lanes;
    first.duplex = common.duplex;
    return {first, then};
}

constinit const ObjectRow row = {
    .object = Object::link_modes,
    .name = "link_modes",
    .doc = "The speeds that the port forces or negotiates.",
    .topic = Topic::link,
    .lives = Lives::hardware,
    .fields = kFields,
    .disruption = Disruption::link,
    .refuses = refuses,
    .play = play,
    .order = {.touches = kTouches, .by_driver = kAllByDriver, .settle_ms = 10000},
    .words = {.remarks = remarks, .spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::link_modes
