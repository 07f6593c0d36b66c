// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/checks/evidence.hpp"
#include "core/drivers/counters.hpp"

namespace core {

/// How much a counter grew between the two readings of the evidence.
struct Growth {
    std::string name{};  ///< the driver's name of the counter
    std::uint64_t by = 0;
    /// The counters restarted in between, as on a driver reload: `by` is a lower bound.
    bool anew = false;
};

/// How much the counter grew. Of a counter per priority, that of `priority` is taken, or of RoCE's;
/// of several counters with this meaning, the one that grew most. A value that fell has wrapped
/// around if it was in the upper half of its width, and restarted if not. Nothing where the port
/// does not count it, the earlier reading lacks it, or the two readings are so close that the
/// driver may report one cached value twice.
std::optional<Growth> growth(const Evidence& evidence, Meter meter);
std::optional<Growth> growth(const Evidence& evidence, Meter meter, unsigned priority);

/// Why none of the counters has a growth.
struct Unmeasured {
    std::string why{};
    /// The port may count it by a name that no row has: that is no reason to skip a check.
    bool unknown = false;
};
/// Nothing where one of the counters has a growth.
std::optional<Unmeasured> unmeasured(const Evidence& evidence, std::span<const Meter> meters);

/// `out_of_sequence grew by 12 in 10 s`, and whether the counters restarted.
std::string text(const Growth& growth, const Evidence& evidence);

/// A fault with the text `what` if the counter grew at all; none otherwise.
Faults grown(const Evidence& evidence, Meter meter, std::string_view what, bool slight = false);

/// Growth of a counter that restarts at 0 when its netdev is made or its driver loaded anew.
constexpr std::uint64_t counted_since(std::uint64_t before, std::uint64_t now) {
    return now < before ? now : now - before;
}

/// `by` per second; 0 where the time is not known.
double rate(const Evidence& evidence, std::uint64_t by);

/// `10 s`, `3 h`; empty for 0, which is not known.
std::string duration_text(double seconds);

}  // namespace core
