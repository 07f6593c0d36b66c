// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::storm_prevention {

namespace {

Got get_storm(const Port& port) {
    if (!port.storm_prevention) return std::nullopt;
    const std::uint16_t timeout = port.storm_prevention->timeout;
    if (timeout == StormPrevention::off) return one(std::string("off"));
    if (timeout == StormPrevention::automatic) return one(std::string("auto"));
    return one(std::to_string(timeout));
}

void set_storm(Port& port, const Elements& elements) {
    const auto word = plain<std::string>(elements);
    auto& timeout = part_of<&Port::storm_prevention>(port).timeout;
    timeout = static_cast<std::uint16_t>(std::strtoul(word.c_str(), nullptr, 10));
    if (word == "auto") timeout = StormPrevention::automatic;
}

/// `0100` is 100; words stay as they are.
Value canonical_storm(const Value& value) {
    const auto& word = std::get<std::string>(value);
    if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) return value;
    return std::to_string(std::strtoul(word.c_str(), nullptr, 10));
}

/// A device that resolves "auto" reads the number.
bool same_storm(const Port& port, const Value& left, const Value& right) {
    const auto resolved = [&](const Value& value) -> Value {
        const std::uint16_t by_itself = driver_of(port).storm_prevention.automatic;
        if (value == Value(std::string("auto")) && by_itself != 0) return std::to_string(by_itself);
        return value;
    };
    return resolved(left) == resolved(right);
}

constexpr std::array<std::string_view, 2> kTimeouts = {"off", "auto"};

using enum Shape::Kind;

constexpr std::array kFields = {
    setting(
        "pfc.storm_prevention",
        {.kind = word, .min = 1, .max = 65534, .words = kTimeouts, .canonical = canonical_storm},
        "For how many milliseconds the port may be paused without a break before the NIC drops "
        "instead, so that a hung host does not stop the fabric; mlx5_core takes 80 to 8000, and "
        "stores auto as 100; hns3 takes up to 2000, and no auto.",
        get_storm, set_storm, same_storm),
};

Reason refuses(const Driver& driver, const Port& /*now*/, const Port& then) {
    const std::uint16_t timeout = then.storm_prevention->timeout;
    if (timeout == StormPrevention::automatic && !driver.storm_prevention.takes_automatic)
        return std::string(driver.name) + " takes no auto, only off and " +
               std::to_string(driver.storm_prevention.min) + ".." +
               std::to_string(driver.storm_prevention.max) + " ms";
    if (timeout == StormPrevention::off || timeout == StormPrevention::automatic)
        return std::nullopt;
    if (timeout >= driver.storm_prevention.min && timeout <= driver.storm_prevention.max)
        return std::nullopt;
    return std::to_string(timeout) + " ms is outside " +
           std::to_string(driver.storm_prevention.min) + ".." +
           std::to_string(driver.storm_prevention.max) + ", which " + std::string(driver.name) +
           " takes beside off" + (driver.storm_prevention.takes_automatic ? " and auto" : "");
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.storm_prevention)
        return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported"};
    if (refuses(driver, now, then)) return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.storm_prevention = then.storm_prevention;
    const bool resolves = driver.storm_prevention.automatic != 0;
    if (resolves && now.storm_prevention->timeout == StormPrevention::automatic)
        now.storm_prevention->timeout = driver.storm_prevention.automatic;
    return std::nullopt;
}

Reason remarks(const Driver& driver, const Host& host, const Port& /*now*/, const Port& then) {
    const std::uint16_t timeout = then.storm_prevention->timeout;
    const Release& since = driver.storm_prevention.limited_since;
    if (timeout == StormPrevention::off || timeout == StormPrevention::automatic ||
        since == Release{} || !is_since(host, since))
        return std::nullopt;
    return "since Linux " + core::text(since) + " the firmware of " + std::string(driver.name) +
           " has a maximum of its own, which cannot be read: the write may be refused, and auto is "
           "not";
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {"ethtool --set-tunable " + shell(now.name) + " pfc-prevention-tout " +
            std::to_string(then.storm_prevention->timeout)};
}

}  // namespace

constinit const ObjectRow row = {.object = Object::storm_prevention,
                                 .name = "storm_prevention",
                                 .doc = "How long a port may be paused before it drops instead.",
                                 .topic = Topic::dcb,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.by_driver = kAllByDriver},
                                 .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::storm_prevention
