// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/poll_schedule.hpp"

#include <algorithm>

namespace core {
namespace {

using Time = PollSchedule::Time;

/// What comes together is read together.
constexpr Time kSettle{200};
constexpr Time kApart{1'000};
/// A GID follows its address, a neighbour fails after three requests.
constexpr Time kFollows{2'000};
constexpr Time kCounted{2'000};
/// Files and the devices themselves advertise nothing.
constexpr Time kWhole{30'000};
/// Times what a reading takes.
constexpr int kRest = 4;

}  // namespace

void PollSchedule::notified(Time now) {
    if (!notified_) notified_ = now;
}

void PollSchedule::was_read(Read what, Time begin, Time end) {
    began_ = true;
    any_end_ = end;
    if (what != Read::whole) {
        counted_cost_ = end - begin;
        return;
    }
    whole_cost_ = end - begin;
    whole_end_ = end;
    after_ = notified_ ? std::optional(end + kFollows) : std::nullopt;
    notified_.reset();
}

Time PollSchedule::whole_at() const {
    Time at = whole_end_ + kWhole;
    if (after_) at = std::min(at, *after_);
    if (notified_) at = std::min(at, *notified_ + kSettle);
    return std::max(at, whole_end_ + std::max(kApart, kRest * whole_cost_));
}

Time PollSchedule::counted_at() const {
    if (!counts_) return Time::max();
    return any_end_ + std::max(kCounted, kRest * counted_cost_);
}

Time PollSchedule::next() const {
    return began_ ? std::min(whole_at(), counted_at()) : Time{};
}

PollSchedule::Read PollSchedule::due(Time now) const {
    if (!began_ || now >= whole_at()) return Read::whole;
    return now >= counted_at() ? Read::counted : Read::nothing;
}

}  // namespace core
