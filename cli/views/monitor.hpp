// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/views/doctor.hpp"

namespace cli {

/// Whether the form is the line of a plugin, which ends with the statuses that its program knows
/// instead of rocectl's: the one exception to rocectl(8), EXIT STATUS.
bool is_monitor(Output form);

/// nagios: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN (Monitoring Plugins Development Guidelines); npd:
/// 0 OK, 1 not OK, 2 unknown (node-problem-detector, custom plugin monitor).
core::Status monitor_status(Output form, const core::Examination& examination, bool strict);
core::Status monitor_unknown(Output form);

/// The plugin's line, with its end: the first cause, how many there are, for nagios the numbers.
std::string monitor_line(Output form, const DoctorView& view, bool strict);
/// The line where nothing could be looked at.
std::string monitor_error(Output form, const std::vector<std::string>& lines);

/// What node_exporter's textfile collector reads: a value for each check and port, how many ended
/// so, the causes, and, where it is known, when that was. The collector takes no other time stamps.
std::string doctor_prometheus(const DoctorView& view, std::optional<std::int64_t> seconds);

/// One testcase for each check and port: a failure has failed, what is not known or was not looked
/// at is skipped with its reason, a check that crashed is an error.
std::string doctor_junit(const DoctorView& view, bool strict);

}  // namespace cli
