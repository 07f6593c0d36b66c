// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// A line for the system's log, which is not waited for: what its daemon does not take at once is
/// lost, as syslog(3) would wait for room in its socket.
void tell_system(const std::string& text);

}  // namespace cli
