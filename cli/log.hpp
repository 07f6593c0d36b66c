// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Logs to standard error. Verbosity -1 is errors only, 0 adds warnings, 1 info, 2 debug.
void start_log(int verbosity);
void log_error(const std::string& line);
void log_warning(const std::string& line);
void log_info(const std::string& line);
void log_debug(const std::string& line);

/// A warning for the system's log, which is not waited for: what its daemon does not take at once
/// is lost, as syslog(3) would wait for room in its socket.
void log_to_system(const std::string& line);

}  // namespace cli
