// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/plan/kernel.hpp"
#include "core/watch/deviation.hpp"

namespace core {

/// The origin of a deviation, by the kernel's notifications: `NetworkManager (process 812) wrote
/// it`, `the port went and came back, …`. Empty where unknown: notifications name no process for
/// most settings of a port itself.
std::vector<std::string> reasons_for(const Deviation& deviation,
                                     const std::vector<Notification>& notifications);

}  // namespace core
