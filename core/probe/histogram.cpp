// SPDX-License-Identifier: Apache-2.0
#include "core/probe/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace core::probe {
namespace {

// Of each power of two from 2^11 on, 1024 steps: one is at most 1/1024 of the time.
constexpr unsigned kExactBits = 11;
constexpr std::uint64_t kExact = std::uint64_t{1} << kExactBits;
constexpr std::uint64_t kSteps = kExact / 2;
constexpr std::uint64_t kLongest = (std::uint64_t{1} << 34) - 1;

std::size_t place_of(std::uint64_t time) {
    if (time < kExact) return time;
    const unsigned shift = static_cast<unsigned>(std::bit_width(time)) - kExactBits;
    return kExact + ((shift - 1) * kSteps) + ((time >> shift) - kSteps);
}

Histogram::Step step_at(std::size_t place, std::uint64_t count) {
    if (place < kExact) return {.from = place, .to = place + 1, .count = count};
    const std::size_t above = place - kExact;
    const std::uint64_t shift = (above / kSteps) + 1;
    const std::uint64_t from = (above % kSteps + kSteps) << shift;
    return {.from = from, .to = from + (std::uint64_t{1} << shift), .count = count};
}

}  // namespace

void Histogram::add(std::uint64_t nanoseconds) {
    const std::uint64_t time = std::min(nanoseconds, kLongest);
    const std::size_t place = place_of(time);
    if (place >= counts_.size()) counts_.resize(place + 1);
    ++counts_[place];
    min_ = count_ == 0 ? time : std::min(min_, time);
    max_ = std::max(max_, time);
    ++count_;
    const double distance = static_cast<double>(time) - mean_;
    mean_ += distance / static_cast<double>(count_);
    squares_ += distance * (static_cast<double>(time) - mean_);
}

double Histogram::mean() const {
    return mean_;
}

double Histogram::deviation() const {
    return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
}

std::uint64_t Histogram::percentile(double percent) const {
    if (count_ == 0) return 0;
    const double share = std::ceil(static_cast<double>(count_) * percent / 100);
    const std::uint64_t wanted = std::max<std::uint64_t>(static_cast<std::uint64_t>(share), 1);
    std::uint64_t seen = 0;
    for (std::size_t place = 0; place < counts_.size(); ++place) {
        seen += counts_[place];
        if (seen >= wanted) return std::clamp(step_at(place, 0).to - 1, min_, max_);
    }
    return max_;
}

std::vector<Histogram::Step> Histogram::steps() const {
    std::vector<Step> out;
    for (std::size_t place = 0; place < counts_.size(); ++place)
        if (counts_[place] != 0) out.push_back(step_at(place, counts_[place]));
    return out;
}

namespace {

/// The root of a number of at least 1: what a power of that many is nearest to. Halves what it lies
/// in until a double cannot tell more.
double root_of(double number, unsigned power) {
    double low = 1;
    double high = number;
    for (double middle = (low + high) / 2; low < middle && middle < high;
         middle = (low + high) / 2) {
        double product = 1;
        for (unsigned i = 0; i < power && product <= number; ++i)
            product *= middle;
        (product <= number ? low : high) = middle;
    }
    return low;
}

}  // namespace

std::vector<Histogram::Step> pieces_of(const Histogram& histogram, unsigned pieces) {
    std::vector<Histogram::Step> out;
    if (histogram.count() == 0 || pieces == 0) return out;
    const double low = std::max<double>(static_cast<double>(histogram.percentile(0.1)), 1);
    const double high = std::max(static_cast<double>(histogram.percentile(99.9)) + 1, low + pieces);
    const double ratio = root_of(high / low, pieces);
    double from = low;
    for (unsigned i = 0; i < pieces; ++i) {
        const double to = i + 1 == pieces ? high : from * ratio;
        out.push_back({.from = static_cast<std::uint64_t>(from),
                       .to = static_cast<std::uint64_t>(to),
                       .count = 0});
        from = to;
    }
    for (const Histogram::Step& step : histogram.steps()) {
        const auto piece = std::ranges::find_if(
            out, [&](const Histogram::Step& one) { return step.from < one.to; });
        if (piece != out.end() && step.to > out.front().from) piece->count += step.count;
    }
    return out;
}

}  // namespace core::probe
