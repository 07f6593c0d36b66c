// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/checks/evidence.hpp"

namespace core {

/// `RoCE is meant to have priority 3`, worded by how certain that is: a guess is called one.
std::string intended(const EffectiveIntent& roce);

/// Faults where PFC is on, but not for the priority of RoCE (opposed_pfc), or where RoCE's DSCP is
/// mapped to another priority (opposed_map). One of the two settings was changed: where neither the
/// profile nor other ports tell which, the fault offers both fixes.
Faults opposed_pfc(const Evidence& evidence, Desired fix);
Faults opposed_map(const Evidence& evidence, unsigned priority);

}  // namespace core
