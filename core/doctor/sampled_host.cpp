// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/sampled_host.hpp"

#include "core/doctor/reading.hpp"

namespace core {
namespace {

using std::chrono::milliseconds;

/// How long what was counted is looked back at, and how far readings lie apart in that.
constexpr milliseconds kBack{10'000};
constexpr milliseconds kSampleApart{1'800};

}  // namespace

void renew(State& state, const State& more, const Objects& objects) {
    for (const Port& from : more.ports) {
        Port* const to = find_port(state, from.name);
        if (to == nullptr) continue;
        for (const Object object : objects) {
            copy_part(object, from, *to);
            to->refused.erase(object);
            to->unknown.erase(object);
            if (from.unknown.contains(object)) to->unknown.insert(object);
        }
        to->refused.insert(from.refused.begin(), from.refused.end());
        mark_unread(*to);
    }
}

SampledHost::SampledHost(Kernel& kernel, Inquiry inquiry)
    : kernel_(kernel), inquiry_(std::move(inquiry)) {
    inquiry_.twice = true;
    counted_ = counted_objects(inquiry_);
}

void SampledHost::read_whole() {
    now_ = read_host(kernel_, inquiry_);
    keep_sample();
}

void SampledHost::read_counted() {
    renew(now_, core::read_counted(kernel_, now_, counted_), counted_);
    keep_sample();
}

void SampledHost::keep_sample() {
    read_at_ = kernel_.time();
    while (samples_.size() > 1 && read_at_ - samples_[1].time >= kBack)
        samples_.pop_front();
    if (!samples_.empty() && read_at_ - samples_.back().time < kSampleApart) return;
    Past sample{.time = read_at_, .state = {.host = now_.host}};
    for (const Port& port : now_.ports) {
        Port& kept = sample.state.ports.emplace_back(port.name);
        for (const Object object : counted_)
            copy_part(object, port, kept);
    }
    samples_.push_back(std::move(sample));
}

void SampledHost::hear() {
    add(inquiry_.set_down, kernel_.notifications());
}

Diagnosis SampledHost::diagnose() {
    inquiry_.now = &now_;
    const Past& first = samples_.front();
    const bool is_earlier = first.time < read_at_;
    inquiry_.earlier = is_earlier ? &first.state : nullptr;
    inquiry_.seconds = std::chrono::duration<double>(read_at_ - first.time).count();
    return core::diagnose(inquiry_);
}

}  // namespace core
