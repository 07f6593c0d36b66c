// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/views/doctor.hpp"
#include "cli/views/port_groups.hpp"

namespace cli {

/// One thing that is said of a cause, in every form that tells causes.
struct CauseRow {
    std::string_view name{};           ///< because, explains, unless, test, fix, …
    std::vector<std::string> texts{};  ///< below the commands, where there are both
    /// Lines for a shell, those that fix one fault together: the first of them may take away what
    /// the next one replaces.
    std::vector<std::vector<std::string>> commands{};
};
std::vector<CauseRow> cause_rows(const DoctorView& view, const core::Suspect& cause,
                                 const Grouping& of);

/// A text as rows: the commands in it, and what is said around them. Only the first has the name.
std::vector<CauseRow> rows_of_text(std::string_view name, const std::string& text);

/// The ports on which it was found.
std::vector<std::string> ports_of(const core::Suspect& cause);

/// Once behind all causes: how long commands last, and the one that sets all each time. Empty where
/// no cause has commands.
constexpr std::string_view kLasting =
    "what is typed lasts until the next boot, or until the device is plugged in anew; what sets it "
    "each time:";
std::string lasting_command(const DoctorView& view);

}  // namespace cli
