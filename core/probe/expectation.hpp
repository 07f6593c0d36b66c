// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/probe/figures.hpp"

namespace core::probe {

struct PathReport;

/// What a path has to come up to: `write.p99<10us`, `read.bandwidth>=90Gb/s`.
struct Expectation {
    std::string text{};  ///< as it was stated
    Operation operation = Operation::send;
    std::string figure{};  ///< p99, bandwidth and so on
    bool bandwidth = false;
    bool below = true;  ///< the measured value has to be below the stated one, else above it
    bool or_equal = false;
    double value = 0;    ///< nanoseconds, bits a second, or messages a second
    std::string unit{};  ///< as it was stated: us, Gb/s
    double factor = 1;   ///< what one of the unit is
};

/// Parses an expectation. Throws Error (usage) that names the invalid part and the accepted form.
Expectation parse_expectation(std::string_view text);

/// The result of one expectation.
struct Outcome {
    Expectation expectation{};
    /// The worst of what was measured; nothing where it was not: then it is not met.
    std::optional<double> measured{};
    bool met = false;
};
Outcome judge(const Expectation& expectation, const PathReport& report);

}  // namespace core::probe
