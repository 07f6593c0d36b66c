// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace core {

struct Driver;
struct Port;

/// How much the packets of the RDMA port carry: its state is the kernel's, this is verbs' to tell.
struct ActiveMtu {
    std::uint32_t bytes = 0;  ///< 0 where a state does not tell
    std::uint32_t max = 0;
    bool operator==(const ActiveMtu&) const = default;
};

}  // namespace core

namespace core::active_mtu {

/// What follows from the port's MTU, of a port of which that is known.
std::optional<std::uint32_t> expected(const Driver& driver, const Port& port);

/// Says of the port that verbs, which alone tell it, cannot be asked without their module.
void lacks_verbs(Port& port);

}  // namespace core::active_mtu
