// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// What the process lacks for writing to the live host, as a sentence; empty where it lacks
/// nothing.
std::string lacking_privilege();

/// Gives up for good what no write needs. What a program that the user names can do as root is
/// left to it.
void drop_other_privilege();

}  // namespace cli
