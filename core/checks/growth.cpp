// SPDX-License-Identifier: Apache-2.0
#include "core/checks/growth.hpp"

#include <array>

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

std::optional<std::string> unmeasured(const Evidence& evidence, std::span<const Meter> meters) {
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
        return evidence.now->device->driver + " asks its device every " +
               duration_text(refresh_ms(evidence.now->device->driver) / 1000.0) +
               ": --window has to be longer";
    return counted ? "the earlier reading does not hold the counter"
                   : "the driver has no such counter";
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
