// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// What the process lacks for writing to the live host, as a sentence; empty where it lacks
/// nothing.
std::string lacking_privilege();

}  // namespace cli
