// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace core::probe {

/// How often each time was seen, in nanoseconds: exact below 2048, from there on in steps of at
/// most a thousandth of the time (three significant digits), up to 17 s; what is longer counts as
/// that.
class Histogram {
public:
    void add(std::uint64_t nanoseconds);
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
    [[nodiscard]] std::uint64_t max() const { return max_; }
    [[nodiscard]] double mean() const;
    /// Of all that was added (not of a sample): divided by the count.
    [[nodiscard]] double deviation() const;
    /// The smallest time that so many hundredths of all do not exceed; 0 where there is none.
    [[nodiscard]] std::uint64_t percentile(double percent) const;

    struct Step {
        std::uint64_t from = 0;  ///< nanoseconds, included
        std::uint64_t to = 0;    ///< nanoseconds, not included
        std::uint64_t count = 0;
    };
    /// The steps in which there is something, in their order.
    [[nodiscard]] std::vector<Step> steps() const;

private:
    std::vector<std::uint64_t> counts_{};
    std::uint64_t count_ = 0;
    std::uint64_t min_ = 0;
    std::uint64_t max_ = 0;
    double mean_ = 0;
    double squares_ = 0;  ///< the sum of squared distances from the mean (Welford)
};

/// Pieces for drawing: the times between the 0.1th and the 99.9th percentile in `pieces` of equal
/// ratio, from the shortest to the longest.
std::vector<Histogram::Step> pieces_of(const Histogram& histogram, unsigned pieces);

}  // namespace core::probe
