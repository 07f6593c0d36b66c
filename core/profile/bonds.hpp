// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/entry.hpp"

namespace core {

/// The bond as a port that has a name and nothing else, so that entries can match it before it is
/// made.
Port bond_to_be(const std::string& name);

/// What is desired for the bond itself: that it is there and up, with what is stated, or is not
/// there.
std::vector<Desired> desired_of(const StatedBond& bond);

/// Adds a problem for each bond without a mode or with what its mode has not, and for each port
/// that is to be a member of two.
void check_bonds(const Entry& host, Problems& problems);

/// A finding for each port that is desired to be a member of two bonds, from whichever file or
/// entry.
std::vector<Finding> member_of_two(const std::vector<Desired>& desired_values);

}  // namespace core
