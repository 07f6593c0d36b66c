// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/checks/evidence.hpp"

namespace core {

/// The bond that the port is, or is a member of, where what is to be reported of that bond is
/// reported of this port: once of each bond, of itself where it is of the fabric, else of its first
/// member that is. Null elsewhere, and where the bond was not read.
const Port* reported_bond(const Evidence& evidence);

/// The members of the bond that are in the state.
std::vector<const Port*> members_at(const Evidence& evidence, const Port& bond);

}  // namespace core
