// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/run/session.hpp"
#include "cli/views/json.hpp"
#include "core/probe/expectation.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// The report in the form that was asked for.
std::string probe_view(const Session& session, core::Status status,
                       const core::probe::PathReport& report,
                       const std::vector<core::probe::Outcome>& outcomes);

/// For people: what works, what was measured, how it is spread, what was expected.
std::string probe_text(const core::probe::PathReport& report,
                       const std::vector<core::probe::Outcome>& outcomes, const Style& style);
/// Times in nanoseconds, rates in bits a second.
std::string probe_json(const Heading& heading, const core::probe::PathReport& report,
                       const std::vector<core::probe::Outcome>& outcomes);
/// The columns of perftest (src/perftest_parameters.h RESULT_FMT_LAT, RESULT_FMT), by its rules.
std::string probe_perftest(const core::probe::PathReport& report);
/// A test case for each check and each expectation.
std::string probe_junit(const core::probe::PathReport& report,
                        const std::vector<core::probe::Outcome>& outcomes);

}  // namespace cli
