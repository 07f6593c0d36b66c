// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checks/catalogue.hpp"

/// Rows of the group of bonds about their members: whether they can carry what the bond sends.
namespace core::bond_members {

extern const FindingRow unwatched;
extern const FindingRow lost;
extern const FindingRow mtu;
extern const FindingRow speed;
extern const FindingRow hash;
extern const FindingRow address;

}  // namespace core::bond_members
