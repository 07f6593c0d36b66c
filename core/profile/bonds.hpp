// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/entry.hpp"

namespace core {

/// A port with only the bond's name, so that entries can match the bond before it is created.
Port bond_to_be(const std::string& name);

/// The desired values of the bond itself: present and up with the stated settings, or absent.
std::vector<Desired> desired_of(const StatedBond& bond);

/// Adds a problem for each bond without a mode or with settings that its mode lacks, and for each
/// port stated as a member of two bonds.
void check_bonds(const Entry& host, Problems& problems);

/// A finding for each port that is to be a member of two bonds, in whatever file or entry.
std::vector<Finding> member_of_two(const std::vector<Desired>& desired_values);

}  // namespace core
