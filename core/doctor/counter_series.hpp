// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/checks/evidence.hpp"

namespace core {

/// By how much a counter had grown, so many seconds after the first reading.
struct SeriesPoint {
    double seconds = 0;
    std::uint64_t grown = 0;
    bool operator==(const SeriesPoint&) const = default;
};

/// What one counter of a port did while it was read several times.
struct CounterSeries {
    std::string port{};
    std::string name{};  ///< as the driver calls it
    std::uint64_t grown = 0;
    bool anew = false;  ///< it began anew in between: it grew by this at least
    std::vector<SeriesPoint> points{};
    bool operator==(const CounterSeries&) const = default;
};

/// The counters of which a driver's row says what they mean, of each priority that RoCE is in, over
/// many readings.
class CounterSeriesList {
public:
    /// With `points` every reading is kept, else only by how much each counter grew in all.
    explicit CounterSeriesList(bool points) : points_(points) {}

    /// A reading, so many seconds after the first, of the ports that are meant to carry RoCE.
    void add(const State& now, const std::map<std::string, EffectiveIntent>& intents,
             double seconds);
    /// The counter series of the counters that grew, port by port.
    [[nodiscard]] std::vector<CounterSeries> grown() const;

private:
    void add_port(const Port& now, const Port* before, unsigned priority, double seconds);

    bool points_;
    std::map<std::string, Port> before_{};
    std::map<std::string, std::vector<CounterSeries>> series_{};  ///< by port
};

}  // namespace core
