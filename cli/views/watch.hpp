// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/views/style.hpp"
#include "core/doctor/counter_series.hpp"
#include "core/doctor/deviations.hpp"
#include "core/doctor/story.hpp"
#include "core/json/json.hpp"
#include "core/plan/apply.hpp"

namespace cli {

std::int64_t seconds_since_1970();

/// How a watch ended, and what it counted.
struct WatchEnd {
    core::Status status = core::Status::done;
    double seconds = 0;
    std::size_t readings = 0;
    std::size_t lost = 0;  ///< how often notifications were
};

/// What a watch of a host counted besides.
struct HostWatched {
    bool no_port = false;             ///< of a fabric
    std::set<std::string> unknown{};  ///< ids of checks that could not be made
    std::vector<core::Episode> episodes{};
    std::vector<core::CounterSeries> counters{};
};

/// What a watch of a profile counted besides.
struct ProfileWatched {
    std::size_t unread = 0;    ///< readings that could not be made
    std::size_t deviated = 0;  ///< values, since it began
    std::size_t standing = 0;  ///< of them, at the end
    std::size_t healed = 0;    ///< runs that wrote
};

/// Tells what happens on a host, or what becomes of a profile there, as it happens: a line an
/// event, with the local time in front, or an object of JSON a line, with seconds since 1970.
/// Throws Error where it cannot be written.
class WatchTeller {
public:
    using Clock = std::function<std::int64_t()>;
    /// Why a deviation came about, as far as that is known.
    using Reasons = std::function<std::vector<std::string>(const core::Deviation&)>;
    WatchTeller(std::ostream& out, Output form, const Style& style, Clock clock)
        : out_(out), json_(form == Output::json), style_(style), clock_(std::move(clock)) {}

    void began(const core::Examination& examination);
    void began(const std::string& profile, const core::DesiredState& desired_values, bool heals);
    void tell(const core::Event& event);
    void tell(const std::vector<core::DeviationChange>& changes, const Reasons& reasons);
    /// The host could not be looked at.
    void unread(const std::vector<std::string>& lines);
    void healed(const core::Report& report);
    void not_healed(const std::vector<std::string>& lines);
    /// Nothing is written any more, and the watch ends.
    void gave_up(const std::vector<std::string>& lines);
    /// Notifications were lost, and all is read anew.
    void lost();
    void ended(const WatchEnd& end, const HostWatched& watched);
    void ended(const WatchEnd& end, const ProfileWatched& watched);

private:
    using Changes = std::vector<const core::DeviationChange*>;
    [[nodiscard]] core::Json line(std::string_view event) const;
    [[nodiscard]] core::Json line(const core::Event& event) const;
    [[nodiscard]] core::Json line(const core::DeviationChange& change,
                                  const std::vector<std::string>& reasons) const;
    [[nodiscard]] core::Json line(const WatchEnd& end) const;
    /// The one or the other, as the form is.
    void say(const core::Json& line, const std::string& text);
    void say_lines(std::string_view event, const std::string& words,
                   const std::vector<std::string>& lines);
    void print(std::string line);
    void tell_together(const Changes& changes, const std::vector<std::string>& why);

    std::ostream& out_;
    bool json_;
    const Style& style_;
    Clock clock_;
    std::string day_{};  ///< of the line before
};

/// `ens1f0 mtu was written 3 times in 20 s, and was otherwise again each time`
std::string overwritten_text(const core::Overwritten& value);

}  // namespace cli
