// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/checks/evidence.hpp"
#include "core/drivers/counters.hpp"

namespace core {

/// By how much a counter grew between the two readings of the evidence.
struct Growth {
    std::string name{};  ///< as the driver calls it
    std::uint64_t by = 0;
    /// The counters began anew in between, as with a driver that is loaded again: it grew by this
    /// at least.
    bool anew = false;
};

/// By how much the counter grew between the two readings; of one that a port has for each priority,
/// that of the priority given, else of RoCE's; of several with the meaning the one that grew most.
/// A counter that fell wrapped around where it was in the upper half of its width, and began anew
/// where it was not. Nothing where the port does not count it, the earlier reading has it not, or
/// the two are so near that the driver may show one value twice.
std::optional<Growth> growth(const Evidence& evidence, Meter meter);
std::optional<Growth> growth(const Evidence& evidence, Meter meter, unsigned priority);

/// Why there is no growth of any of these; nothing where there is.
std::optional<std::string> unmeasured(const Evidence& evidence, std::span<const Meter> meters);

/// `out_of_sequence grew by 12 in 10 s`, and that it began anew.
std::string text(const Growth& growth, const Evidence& evidence);

/// A fault if the counter grew at all.
Faults grown(const Evidence& evidence, Meter meter, std::string_view what, bool slight = false);

/// How much more is counted than before, of what counts from 0 again where it was made anew.
constexpr std::uint64_t counted_since(std::uint64_t before, std::uint64_t now) {
    return now < before ? now : now - before;
}

/// So many in a second; 0 where the time is not known.
double rate(const Evidence& evidence, std::uint64_t by);

/// `10 s`, `3 h`; empty where it is not known.
std::string duration_text(double seconds);

}  // namespace core
