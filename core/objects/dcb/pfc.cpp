// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

/// How many traffic classes the lossless priorities take: that is what a port has few of.
unsigned lossless_classes(const Port& port, std::uint8_t priorities) {
    unsigned classes = 0;
    for (std::size_t priority = 0; priority < kPriorities; ++priority)
        if (((unsigned{priorities} >> priority) & 1U) != 0)
            classes |= 1U << (port.ets ? port.ets->traffic_class.at(priority) : priority);
    return static_cast<unsigned>(std::popcount(classes));
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = owned_by_agent(driver, now)) return reason;
    if (now.pfc->capability != 0 &&
        lossless_classes(now, then.pfc->priorities) > now.pfc->capability)
        return "the port has " + std::to_string(now.pfc->capability) +
               " lossless traffic classes, and the priorities are in more";
    const bool comes_on = then.pfc->priorities != 0 && now.pfc->priorities == 0;
    if (comes_on && now.pause && (now.pause->rx || now.pause->tx))
        return "link-level pause is on, and PFC never runs together with it";
    return std::nullopt;
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (!now.pfc) return std::nullopt;  // no op: answered with yes, and nothing is stored
    const bool too_many = now.pfc->capability != 0 &&
                          lossless_classes(now, then.pfc->priorities) > now.pfc->capability;
    if (owned_by_agent(driver, now) || too_many)
        return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.pfc->priorities = then.pfc->priorities;
    if (then.pfc->delay >= driver.delay_min && then.pfc->delay <= driver.delay_max)
        now.pfc->delay = then.pfc->delay;
    if (driver.pause_gives_way && now.pause && now.pfc->priorities != 0)
        now.pause->rx = now.pause->tx = false;
    if (driver.reopens) reopen(now);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "dcb pfc set dev " + now.name;
    if (now.pfc->priorities != then.pfc->priorities) {
        line += " prio-pfc all:off";
        for (unsigned priority = 0; priority < kPriorities; ++priority)
            if (((unsigned{then.pfc->priorities} >> priority) & 1U) != 0)
                line += " " + std::to_string(priority) + ":on";
    }
    if (now.pfc->delay != then.pfc->delay) line += " delay " + std::to_string(then.pfc->delay);
    return {line};
}

constexpr std::array kConsults = {Object::dcbx, Object::pause};

}  // namespace

constinit const ObjectRow pfc_row = {.object = Object::pfc,
                                     .name = "pfc",
                                     .doc = "Priority flow control.",
                                     .copy = copy<&Port::pfc>,
                                     .consults = kConsults,
                                     .refuses = refuses,
                                     .play = play,
                                     .spell = spell};

}  // namespace core
