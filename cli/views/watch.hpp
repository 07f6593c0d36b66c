// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/views/clock_text.hpp"
#include "cli/views/style.hpp"
#include "core/doctor/deviations.hpp"
#include "core/plan/apply.hpp"

namespace cli {

/// How a watch of a profile ended, and what it counted.
struct ProfileWatchEnd {
    core::Status status = core::Status::done;
    double seconds = 0;
    std::size_t readings = 0;
    std::size_t unread = 0;    ///< that could not be made
    std::size_t lost = 0;      ///< how often notifications were
    std::size_t deviated = 0;  ///< values, since it began
    std::size_t standing = 0;  ///< of them, at the end
    std::size_t healed = 0;    ///< runs that wrote
};

/// Tells what becomes of a profile on a host: a line an event, with the local time in front, or an
/// object of JSON a line, with seconds since 1970.
class WatchTeller {
public:
    using Clock = std::function<std::int64_t()>;
    /// Why a deviation came about, as far as that is known.
    using Reasons = std::function<std::vector<std::string>(const core::Deviation&)>;
    WatchTeller(std::ostream& out, Output form, const Style& style, Clock clock)
        : out_(out), json_(form == Output::json), style_(style), clock_(std::move(clock)) {}

    void began(const std::string& profile, const core::DesiredState& desired_values, bool heals);
    void tell(const std::vector<core::DeviationChange>& changes, const Reasons& reasons);
    /// The host could not be looked at.
    void unread(const std::vector<std::string>& lines);
    void healed(const core::Report& report);
    void not_healed(const std::vector<std::string>& lines);
    /// Nothing is written any more, and the watch ends.
    void gave_up(const std::vector<std::string>& lines);
    void lost();
    void ended(const ProfileWatchEnd& end);

private:
    using Changes = std::vector<const core::DeviationChange*>;
    void say(const std::string& text);
    void say_lines(std::string_view event, const std::string& words,
                   const std::vector<std::string>& lines);
    void tell_each(const Changes& changes, const std::vector<std::string>& why);
    void tell_together(const Changes& changes, const std::vector<std::string>& why);

    std::ostream& out_;
    bool json_;
    const Style& style_;
    Clock clock_;
    ClockText clock_text_{};
};

/// `ens1f0 mtu was written 3 times in 20 s, and was otherwise again each time`
std::string overwritten_text(const core::Overwritten& value);

}  // namespace cli
