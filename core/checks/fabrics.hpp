// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/model/desired.hpp"
#include "core/model/state.hpp"

namespace core {

/// A network that RoCE reaches through a gateway. `remote` is an address in it that is on no link
/// of the host, for route lookups; nothing where the whole network is on links.
struct Destination {
    Prefix to{};
    std::optional<Ip> remote{};
};

/// One fabric of a host: the ports that are meant to be alike and to reach the same networks.
struct HostFabric {
    std::string name{};  ///< as the profile names it; empty: inferred
    std::vector<const Port*> ports{};
    std::vector<Destination> destinations{};
    /// The same for a port without routes through a gateway: a default route of others says
    /// nothing of it.
    std::vector<Destination> of_silent{};
};

/// The fabrics of a host. What the profile names is as it says. Of other ports are of one fabric
/// those that reach one network through gateways; of which one has an address where the other sends
/// to; that share a network; that are a bond and its members; or that have one driver, can have one
/// speed, and addresses of one numbering plan (10.0.1.0/24 and 10.0.2.0/24). A port that has
/// neither address nor route is taken to those of its driver and speed.
class HostFabrics {
public:
    /// The netdevs that send by the RDMA device of one port.
    using Senders = std::vector<const Port*>;

    HostFabrics() = default;
    /// `senders` has an element for each of `ports`. All are of `state`. `desired_values` is null
    /// without a profile.
    HostFabrics(const State& state, std::span<const Port* const> ports,
                const std::vector<Senders>& senders, const DesiredState* desired_values);

    /// In the order of their first ports.
    [[nodiscard]] const std::vector<HostFabric>& all() const { return all_; }
    /// The fabric of the port, which must be one of those given.
    [[nodiscard]] const HostFabric& of(const Port& port) const;
    /// What the port is to reach through gateways.
    [[nodiscard]] const std::vector<Destination>& destinations_of(const Port& port) const;

private:
    struct Place {
        std::size_t fabric = 0;
        bool silent = false;  ///< has no route through a gateway
    };
    std::vector<HostFabric> all_{};
    std::unordered_map<const Port*, Place> places_{};
};

/// Whether the port's link can have the speed, in Mb/s: it has it, or a link mode of it
/// (include/uapi/linux/ethtool.h: 100000baseCR4/Full).
bool can_have_speed(const Port& port, std::uint32_t speed);

}  // namespace core
