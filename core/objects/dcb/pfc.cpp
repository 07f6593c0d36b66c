// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/bits.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::pfc {

namespace {

Got get_priorities(const Port& port) {
    if (!port.pfc) return std::nullopt;
    Numbers priorities;
    for (std::uint64_t priority = 0; priority < kPriorities; ++priority)
        if (((unsigned{port.pfc->priorities} >> priority) & 1U) != 0)
            priorities.push_back(priority);
    return one(priorities);
}

void set_priorities(Port& port, const Elements& elements) {
    unsigned mask = 0;
    for (const std::uint64_t priority : plain<Numbers>(elements))
        mask |= bit_of(priority);
    part_of<&Port::pfc>(port).priorities = static_cast<std::uint8_t>(mask);
}

/// One number of the kernel's has one key: which one says what the driver counts in.
Got get_delay(const Port& port) {
    if (driver_of(port).pfc.delay_is_metres) return std::nullopt;
    return get_number<&Port::pfc, &Pfc::delay>(port);
}

Got get_cable_length(const Port& port) {
    if (!driver_of(port).pfc.delay_is_metres) return std::nullopt;
    return get_number<&Port::pfc, &Pfc::delay>(port);
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("pfc.priorities", {.kind = set, .max = 7},
            "Priorities that pause instead of dropping (IEEE 802.1Q 36).", get_priorities,
            set_priorities),
    setting("pfc.delay", {.kind = number, .max = 65535},
            "Allowance for pause frames to take effect, in bit times; mlx5_core has "
            "pfc.cable_length in its place.",
            get_delay, set_number<&Port::pfc, &Pfc::delay>),
    setting("pfc.cable_length", {.kind = number, .min = 1, .max = 999},
            "Length of the port's cable in metres, from which mlx5_core reckons how much arrives "
            "after a pause; the other drivers have pfc.delay in its place.",
            get_cable_length, set_number<&Port::pfc, &Pfc::delay>),
    fact("pfc.capability", {.kind = number, .max = 255},
         "How many traffic classes can be lossless.", get_number<&Port::pfc, &Pfc::capability>,
         set_number<&Port::pfc, &Pfc::capability>),
    fact("pfc.requests", {.kind = list, .max = kU64}, "PFC frames sent, by priority.",
         get_numbers<&Port::pfc, &Pfc::requests>, set_numbers<&Port::pfc, &Pfc::requests>),
    fact("pfc.indications", {.kind = list, .max = kU64}, "PFC frames received, by priority.",
         get_numbers<&Port::pfc, &Pfc::indications>, set_numbers<&Port::pfc, &Pfc::indications>),
};

/// How many traffic classes the lossless priorities take: that is what a port has few of.
unsigned lossless_classes(const Port& port, std::uint8_t priorities) {
    unsigned classes = 0;
    for (std::size_t priority = 0; priority < kPriorities; ++priority)
        if (((unsigned{priorities} >> priority) & 1U) != 0)
            classes |= bit_of(port.ets ? port.ets->traffic_class.at(priority) : priority);
    return static_cast<unsigned>(std::popcount(classes));
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = dcbx::owned_by_agent(driver, now)) return reason;
    if (ets::is_never_written(driver, now))
        return std::string(driver.name) +
               " refuses PFC until it was told ETS; state ets too, with "
               "a class that shares";
    if (now.pfc->capability != 0 &&
        lossless_classes(now, then.pfc->priorities) > now.pfc->capability)
        return "the port has " + std::to_string(now.pfc->capability) +
               " lossless traffic classes, and the priorities are in more";
    const bool comes_on = then.pfc->priorities != 0 && now.pfc->priorities == 0;
    if (comes_on && now.pause && (now.pause->rx || now.pause->tx))
        return "link-level pause is on, and PFC never runs together with it";
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.pfc) return std::nullopt;  // no op: answered with yes, and nothing is stored
    const bool too_many = now.pfc->capability != 0 &&
                          lossless_classes(now, then.pfc->priorities) > now.pfc->capability;
    if (dcbx::owned_by_agent(driver, now) || too_many || ets::is_never_written(driver, now))
        return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.pfc->priorities = then.pfc->priorities;
    now.unknown.erase(Object::pfc);
    if (then.pfc->delay >= driver.pfc.delay_min && then.pfc->delay <= driver.pfc.delay_max)
        now.pfc->delay = then.pfc->delay;
    if (driver.pause.gives_way && now.pause && now.pfc->priorities != 0)
        now.pause->rx = now.pause->tx = false;
    if (driver.reopens) link::reopen(now);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "dcb pfc set dev " + shell(now.name);
    if (now.pfc->priorities != then.pfc->priorities) {
        line += " prio-pfc all:off";
        for (unsigned priority = 0; priority < kPriorities; ++priority)
            if (((unsigned{then.pfc->priorities} >> priority) & 1U) != 0)
                line += " " + std::to_string(priority) + ":on";
    }
    if (now.pfc->delay != then.pfc->delay) line += " delay " + std::to_string(then.pfc->delay);
    return {line};
}

Uncertainty uncertainty(const Driver& driver, const Port& port) {
    const bool nothing = port.pfc && port.pfc->priorities == 0;
    return nothing && ets::is_never_written(driver, port) ? Uncertainty::unread : Uncertainty::none;
}

constexpr std::array kConsults = {Object::dcbx, Object::pause, Object::ets};

Objects disturbs(const Driver& driver) {
    Objects out = dcbx::disturbed_by_qos(driver);
    if (driver.pause.gives_way) out.insert(Object::pause);
    // Firmware that owns the buffers sizes them anew.
    if (driver.buffer.follows) out.insert(Object::buffer);
    return out;
}

constexpr std::array kAtBoot = {
    AtBoot{"*", BootProgram::services, "lldpad.service", false},
    AtBoot{"pfc.*", BootProgram::network_manager, "dcb.*", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::pfc,
    .name = "pfc",
    .doc = "Priority flow control.",
    .topic = Topic::dcb,
    .lives = Lives::hardware,
    .fields = kFields,
    .alike = true,
    .refuses = refuses,
    .play = play,
    .read = {.intents = true, .uncertainty = uncertainty},
    .order = {.consults = kConsults, .by_driver = kAllByDriver, .disturbs = disturbs},
    .chosen_by = {.others = Others::firmware | Others::dcb_agent | Others::udev_rule},
    .words = {.spell = spell, .by_family = true},
    .boot = {.programs = kAtBoot}};

}  // namespace core::pfc
