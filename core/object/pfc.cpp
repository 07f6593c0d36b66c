// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cerrno>

#include "core/object/rows.hpp"

namespace core::pfc_object {

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = owned_by_agent(driver, now)) return reason;
    const bool comes_on = then.pfc->priorities != 0 && now.pfc->priorities == 0;
    if (comes_on && now.pause && (now.pause->rx || now.pause->tx))
        return "link-level pause is on, and PFC never runs together with it";
    return std::nullopt;
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (!now.pfc) return std::nullopt;  // no op: answered with yes, and nothing is stored
    const auto lossless = static_cast<unsigned>(std::popcount(then.pfc->priorities));
    const bool too_many = now.pfc->capability != 0 && lossless > now.pfc->capability;
    if (owned_by_agent(driver, now) || too_many)
        return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.pfc->priorities = then.pfc->priorities;
    if (then.pfc->delay >= driver.delay_min && then.pfc->delay <= driver.delay_max)
        now.pfc->delay = then.pfc->delay;
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

}  // namespace core::pfc_object
