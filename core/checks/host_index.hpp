// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/checks/destinations.hpp"
#include "core/model/desired.hpp"
#include "core/model/state.hpp"

namespace core {

/// What checks of one port ask of the whole host, gathered once: what is found here is not looked
/// for again on each of many ports. It names what it was made of, which has to last as long.
class HostIndex {
public:
    using Ports = std::vector<const Port*>;

    /// `desired_values` may be null: there is no profile.
    HostIndex(const State& state, std::span<const Port* const> fabric_ports,
              const DesiredState* desired_values);

    /// What is on the port of that name (Link::lower), in the order of the host.
    [[nodiscard]] const Ports& on(std::string_view name) const;
    /// The VLANs on the port (Vlan::parent), and on the bond that it is a member of.
    [[nodiscard]] Ports vlans_by(const Port& port) const;
    /// What sends by the port's RDMA device, the port itself first: VLANs on it, and where it is
    /// the member of a bond and has a device of its own, the bond and VLANs on that.
    [[nodiscard]] Ports senders_by(const Port& port) const;
    /// The port, the bond that it is a member of, and all that is on these.
    [[nodiscard]] Ports carried_by(const Port& port) const;
    /// Those that have the address, in the order of the host.
    [[nodiscard]] const Ports& holders_of(const Ip& address) const;
    /// Another port of the fabric in one subnet with this one, of IPv4, the first in the order of
    /// the host; null where there is none.
    [[nodiscard]] const Port* in_one_subnet(const Port& port) const;
    /// Where ports of the fabric send to through gateways.
    [[nodiscard]] const Destinations& destinations() const { return destinations_; }
    [[nodiscard]] bool is_of_fabric(std::string_view name) const { return fabric_.contains(name); }
    /// The ports that are none of the fabric, and in one subnet with this one, of IPv4.
    [[nodiscard]] Ports strangers_in_subnet(const Port& port) const;
    /// Whether the profile states that the port is down.
    [[nodiscard]] bool is_desired_down(std::string_view name) const { return down_.contains(name); }
    /// Whether the profile states that the port is the member of a bond.
    [[nodiscard]] bool is_desired_member(std::string_view name) const {
        return members_.contains(name);
    }

private:
    struct Held {
        const Port* port = nullptr;
        Address address{};
    };

    const State& state_;
    std::unordered_map<std::string_view, Ports> on_{};
    std::unordered_map<std::string_view, Ports> vlans_{};
    std::map<Ip, Ports> holders_{};
    std::unordered_set<std::string_view> fabric_{};
    std::vector<Held> of_fabric_{};
    std::vector<Held> of_strangers_{};
    std::unordered_set<std::string_view> down_{};
    std::unordered_set<std::string_view> members_{};
    Destinations destinations_{};
};

}  // namespace core
