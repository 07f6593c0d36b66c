// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checks/catalogue.hpp"

/// The group of each file beside this one.
namespace core::finding_group {

extern const FindingGroup lossless;
extern const FindingGroup marking;
extern const FindingGroup congestion;
extern const FindingGroup mtu;
extern const FindingGroup address;
extern const FindingGroup consistency;
extern const FindingGroup agreement;
extern const FindingGroup profile;
extern const FindingGroup wish;
extern const FindingGroup plan;
extern const FindingGroup readback;
extern const FindingGroup readiness;
extern const FindingGroup undo;

}  // namespace core::finding_group
