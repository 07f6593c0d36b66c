// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>

#include "cli/options.hpp"
#include "cli/views/clock_text.hpp"
#include "cli/views/style.hpp"
#include "core/doctor/counter_series.hpp"
#include "core/doctor/story.hpp"

namespace cli {

/// How a watch of doctor's ended, and what it counted.
struct WatchEnd {
    core::Status status = core::Status::done;
    double seconds = 0;
    std::size_t readings = 0;
    std::size_t lost = 0;             ///< how often notifications were
    bool no_port = false;             ///< of a fabric
    std::set<std::string> unknown{};  ///< ids of checks that could not be made
    std::vector<core::Episode> episodes{};
    std::vector<core::CounterSeries> counters{};
};

/// Tells what happens on a host as it happens: a line an event, with the local time in front, or an
/// object of JSON a line, with seconds since 1970.
class StoryTeller {
public:
    using Clock = std::function<std::int64_t()>;
    StoryTeller(std::ostream& out, Output form, const Style& style, Clock clock)
        : out_(out), json_(form == Output::json), style_(style), clock_(std::move(clock)) {}

    void began(const core::Examination& examination);
    void tell(const core::Event& event);
    /// Notifications were lost, and all is read anew.
    void lost();
    void ended(const WatchEnd& end);

private:
    void say(const std::string& text);
    std::string summary(const WatchEnd& end) const;

    std::ostream& out_;
    bool json_;
    const Style& style_;
    Clock clock_;
    ClockText clock_text_{};
};

}  // namespace cli
