// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "core/model/cpus.hpp"

namespace core {

/// The message-signalled interrupts of the port's device.
struct Interrupts {
    Cpus local{};                         ///< CPUs of the device's NUMA node
    std::map<unsigned, Cpus> affinity{};  ///< of each interrupt: where it may be handled
    std::map<unsigned, Cpus> hints{};     ///< where the driver asks that it be handled
    bool operator==(const Interrupts&) const = default;
};

}  // namespace core
