// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// A network that RoCE reaches through a gateway. `remote` is an address in it that is on no link
/// of the host, for route lookups; nothing where the whole network is on links.
struct Destination {
    Prefix to{};
    std::optional<Ip> remote{};
};

/// The networks that the ports of a fabric reach through gateways. Ports that share a destination,
/// or of which one has an address in another's destination, belong to one fabric: a destination of
/// one is meant to be reached by all of them. A compute fabric and a storage fabric share none.
class Destinations {
public:
    /// The netdevs that send by the RDMA device of one port of the fabric.
    using Senders = std::vector<const Port*>;

    Destinations() = default;
    /// `senders` has an element for each port of `fabric`. All ports are of `state`.
    Destinations(const State& state, std::span<const Port* const> fabric,
                 const std::vector<Senders>& senders);

    /// The destinations of the port's fabric. A port without destinations of its own gets those of
    /// all fabrics, default routes excepted.
    [[nodiscard]] const std::vector<Destination>& of(const Port& port) const;

private:
    std::vector<Destination> all_{};
    std::vector<std::vector<Destination>> of_fabric_{};
    std::unordered_map<const Port*, std::size_t> fabrics_{};  ///< by port: position in of_fabric_
};

}  // namespace core
