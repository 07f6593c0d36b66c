// SPDX-License-Identifier: Apache-2.0
#include "core/checks/growth.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/model/driver.hpp"
#include "core/model/nearest.hpp"

namespace core {
namespace {

/// Whether the driver may not have asked its device between the two readings.
bool too_soon(const Evidence& evidence, const Count& counter) {
    if (counter.row->object != Object::statistics || !evidence.now->device) return false;
    constexpr double thousand = 1000;
    return evidence.seconds > 0 &&
           evidence.seconds * thousand < refresh_ms(evidence.now->device->driver);
}

}  // namespace

std::optional<Growth> growth(const Evidence& evidence, Meter meter, unsigned priority) {
    if (evidence.before == nullptr) return std::nullopt;
    std::optional<Growth> out;
    for (const Count& counter : counts(*evidence.now, meter, priority)) {
        const auto earlier = value_of(*evidence.before, counter, priority);
        if (!earlier || too_soon(evidence, counter)) continue;
        const Grown grown = grown_since(*evidence.before, *earlier, *evidence.now, counter);
        if (!out || grown.by > out->by)
            out = Growth{.name = counter.name, .by = grown.by, .anew = grown.anew};
    }
    return out;
}

std::optional<Growth> growth(const Evidence& evidence, Meter meter) {
    return growth(evidence, meter, evidence.roce->priority);
}

namespace {

/// The names of what grew in one of the two lists of counters, and no row knows.
void add_moved(const Port& now, const Port& before, Object object, std::set<std::string>& names) {
    const auto& held = object == Object::statistics ? now.statistics : now.rdma_counters;
    const auto& earlier = object == Object::statistics ? before.statistics : before.rdma_counters;
    if (!held || !earlier) return;
    for (const auto& [name, value] : *held) {
        const auto then = earlier->find(name);
        if (then != earlier->end() && then->second != value && !is_named(now, object, name))
            names.insert(name);
    }
}

/// What the driver counts is not known: which counters moved is.
std::string unnamed(const Evidence& evidence) {
    const Port& now = *evidence.now;
    std::set<std::string> names;
    for (const Object object : {Object::rdma_counters, Object::statistics})
        add_moved(now, *evidence.before, object, names);
    std::string out = "what " + (now.device ? now.device->driver : std::string("the driver")) +
                      " counts is not all known by its meaning";
    if (names.empty()) return out + "; none of its other counters moved";
    constexpr std::size_t most = 16;
    std::string listed;
    std::size_t shown = 0;
    for (const std::string& name : names)
        if (shown++ < most) listed += (listed.empty() ? "" : ", ") + name;
    if (names.size() > most) listed += " and " + std::to_string(names.size() - most) + " more";
    return out + "; of its other counters these moved: " + listed;
}

}  // namespace

std::optional<Unmeasured> unmeasured(const Evidence& evidence, std::span<const Meter> meters) {
    bool counted = false;
    bool soon = false;
    for (const Meter meter : meters) {
        if (growth(evidence, meter)) return std::nullopt;
        const auto counter = count(*evidence.now, meter, evidence.roce->priority);
        if (!counter) continue;
        counted = true;
        soon = soon || too_soon(evidence, *counter);
    }
    if (soon)
        return Unmeasured{.why = evidence.now->device->driver + " asks its device every " +
                                 duration_text(refresh_ms(evidence.now->device->driver) / 1000.0) +
                                 ": --window has to be longer"};
    if (counted) return Unmeasured{.why = "the earlier reading does not hold the counter"};
    const bool known = std::ranges::any_of(
        meters, [&](Meter meter) { return knows_counters(*evidence.now, meter); });
    if (known || evidence.before == nullptr)
        return Unmeasured{.why = "the driver has no such counter"};
    return Unmeasured{.why = unnamed(evidence), .unknown = true};
}

Faults grown(const Evidence& evidence, Meter meter, std::string_view what, bool slight) {
    const auto by = growth(evidence, meter);
    if (!by || by->by == 0) return {};
    return {Fault{.text = text(*by, evidence) + ": " + std::string(what), .slight = slight}};
}

double rate(const Evidence& evidence, std::uint64_t by) {
    return evidence.seconds > 0 ? static_cast<double>(by) / evidence.seconds : 0;
}

std::string duration_text(double seconds) {
    struct Unit {
        double seconds;
        std::string_view name;
    };
    constexpr std::array kUnits = {Unit{86400, " d"}, Unit{3600, " h"}, Unit{60, " min"},
                                   Unit{1, " s"}};
    constexpr double enough = 2;  // of a unit, so that little is rounded away
    if (seconds <= 0) return {};
    for (const Unit& unit : kUnits)
        if (seconds >= enough * unit.seconds)
            return std::to_string(nearest(seconds / unit.seconds)) + std::string(unit.name);
    constexpr double thousand = 1000;
    if (seconds == 1) return "1 s";
    return std::to_string(nearest(seconds * thousand)) + " ms";
}

std::string text(const Growth& growth, const Evidence& evidence) {
    const std::string in = duration_text(evidence.seconds);
    std::string out = growth.name + " grew by " + std::to_string(growth.by);
    if (growth.anew) return out + " since the counters began anew";
    return in.empty() ? out + " since the earlier reading" : out + " in " + in;
}

}  // namespace core
