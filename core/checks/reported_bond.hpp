// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/checks/evidence.hpp"

namespace core {

/// The bond to report on while this port is examined, so that each bond is reported once: with the
/// bond itself if it is a port of the fabric, else with its first member that is. Null for every
/// other port, and where the bond was not read.
const Port* reported_bond(const Evidence& evidence);

/// The bond's members that are in the state.
std::vector<const Port*> members_at(const Evidence& evidence, const Port& bond);

}  // namespace core
