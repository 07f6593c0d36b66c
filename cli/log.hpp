// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Diagnostics go to standard error: -1 is errors only, 1 adds what is done, 2 adds details.
void start_log(int verbosity);
void log_error(const std::string& line);
void log_warning(const std::string& line);
void log_info(const std::string& line);
void log_debug(const std::string& line);

}  // namespace cli
