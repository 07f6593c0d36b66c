// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/checks/evidence.hpp"

namespace core {

/// What is known of the priority that RoCE is meant to have: of a guess it says that it is one.
std::string intended(const EffectiveIntent& roce);

/// PFC is on, and not for the priority of RoCE; or DSCP of RoCE leads to another one. Of two that
/// contradict each other one was changed: where neither a profile nor other ports say which, both
/// ways to fix it are reported.
Faults opposed_pfc(const Evidence& evidence, Desired fix);
Faults opposed_map(const Evidence& evidence, unsigned priority);

}  // namespace core
