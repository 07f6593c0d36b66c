// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/plan/notification.hpp"
#include "core/watch/deviation.hpp"

namespace core {

/// How a deviation came about, as far as the kernel reported it: `NetworkManager (process 812)
/// wrote it`, `the port went and came back, …`. Empty where it did not: it names nobody for most of
/// what is set on a port itself.
std::vector<std::string> reasons_for(const Deviation& deviation,
                                     const std::vector<Notification>& notifications);

}  // namespace core
