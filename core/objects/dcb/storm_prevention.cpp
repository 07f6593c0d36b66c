// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

Reason refuses(const Driver& driver, const Port& /*now*/, const Port& then) {
    const std::uint16_t timeout = then.storm_prevention->timeout;
    if (timeout == StormPrevention::off || timeout == StormPrevention::automatic)
        return std::nullopt;
    if (timeout >= driver.storm_min && timeout <= driver.storm_max) return std::nullopt;
    return std::to_string(timeout) + " ms is outside " + std::to_string(driver.storm_min) + ".." +
           std::to_string(driver.storm_max) + ", which " + std::string(driver.name) +
           " takes beside off and auto";
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (!now.storm_prevention)
        return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported"};
    if (refuses(driver, now, then)) return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.storm_prevention = then.storm_prevention;
    const bool resolves = driver.storm_auto != 0;
    if (resolves && now.storm_prevention->timeout == StormPrevention::automatic)
        now.storm_prevention->timeout = driver.storm_auto;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {"ethtool --set-tunable " + now.name + " pfc-prevention-tout " +
            std::to_string(then.storm_prevention->timeout)};
}

}  // namespace

constinit const ObjectRow storm_prevention_row = {
    .object = Object::storm_prevention,
    .name = "storm_prevention",
    .doc = "How long a port may be paused before it drops instead.",
    .copy = copy<&Port::storm_prevention>,
    .refuses = refuses,
    .play = play,
    .spell = spell};

}  // namespace core
