// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// What was found of each path, in the form that was asked for.
std::string probe_view(const Heading& heading, Output form, const Style& style,
                       const std::vector<core::probe::PathReport>& reports);

/// What was measured, in the unit of what was expected: `9.31 us`.
std::string measured_text(const core::probe::Outcome& outcome);
/// One row for each of several paths.
std::string probe_table(const std::vector<core::probe::PathReport>& reports, const Style& style);
/// For people: what works, what was measured, how it is spread, what was expected.
std::string probe_text(const core::probe::PathReport& report, const Style& style);
/// Times in nanoseconds, rates in bits a second.
std::string probe_json(const Heading& heading, const std::vector<core::probe::PathReport>& reports);
/// The list of paths of it alone.
std::string probe_paths_json(const std::vector<core::probe::PathReport>& reports);
/// The columns of perftest (src/perftest_parameters.h RESULT_FMT_LAT, RESULT_FMT), by its rules.
std::string probe_perftest(const core::probe::PathReport& report);
/// A test case for each check and each expectation of each path.
std::string probe_junit(const std::string& name,
                        const std::vector<core::probe::PathReport>& reports);

}  // namespace cli
