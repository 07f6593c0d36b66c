// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/collection.hpp"

namespace core {

/// The desired values of all entries for a port as one: what is derived gives way to what is
/// stated, and where the entries contradict each other or themselves is a finding.
DesiredState conflict_resolution(PortDesired all);

}  // namespace core
