// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// Where RoCE is sent through a gateway, and an address there that no port of the host is in one
/// network with; nothing where there is none.
struct Destination {
    Prefix to{};
    std::optional<Ip> remote{};
};

/// Where the ports of a fabric send to through gateways. Ports that have a destination in common,
/// or an address where another one sends to, are of one fabric, and what is reached by one of them
/// is meant to be reached by each; a fabric for computing and one for storage share none.
class Destinations {
public:
    /// What sends by the RDMA device of one port of the fabric.
    using Senders = std::vector<const Port*>;

    Destinations() = default;
    /// `senders` has an element for each port of `fabric`, both of the state.
    Destinations(const State& state, std::span<const Port* const> fabric,
                 const std::vector<Senders>& senders);

    /// Those of the port's fabric; of all fabrics, but for default routes, where the port has none
    /// of its own.
    [[nodiscard]] const std::vector<Destination>& of(const Port& port) const;

private:
    std::vector<Destination> all_{};
    std::vector<std::vector<Destination>> of_fabric_{};
    std::unordered_map<const Port*, std::size_t> fabrics_{};  ///< by the port: places in of_fabric_
};

}  // namespace core
