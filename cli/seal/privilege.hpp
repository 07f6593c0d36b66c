// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// The privilege that the process lacks to write to the live host, as a sentence; empty where it
/// lacks none.
std::string lacking_privilege();

/// Gives up for good the capabilities that no write needs. Programs that the user names keep what
/// root can do.
void drop_other_privilege();

}  // namespace cli
