// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/checks/fabrics.hpp"
#include "core/model/desired.hpp"
#include "core/model/state.hpp"

namespace core {

/// What checks of one port need to know of the whole host, collected once for all ports so that no
/// check walks the whole state again. Keeps pointers into its arguments, which must outlive it.
class HostIndex {
public:
    using Ports = std::vector<const Port*>;

    /// `desired_values` is null without a profile.
    HostIndex(const State& state, std::span<const Port* const> fabric_ports,
              const DesiredState* desired_values);

    /// The netdevs directly on the port of this name (Link::lower), in the order of the host.
    [[nodiscard]] const Ports& on(std::string_view name) const;
    /// The VLANs on the port (Vlan::parent), and those on its bond.
    [[nodiscard]] Ports vlans_by(const Port& port) const;
    /// The netdevs that send by the port's RDMA device, the port itself first: VLANs on it and, for
    /// a bond's member with a device of its own, the bond and the VLANs on that.
    [[nodiscard]] Ports senders_by(const Port& port) const;
    /// The port, its bond, and all that is on these at any depth.
    [[nodiscard]] Ports carried_by(const Port& port) const;
    /// The other functions by which a NIC on several PCI Express links has this port's cable, as
    /// the ConnectX-7 of a GB10 with two links of four lanes (github.com/NVIDIA/NemoClaw 8520 and
    /// geerlingguy/sbc-reviews 92 show both functions). They are alike in driver, firmware, carrier
    /// and place on the bus but for the domain, have hardware addresses of one block, and each has
    /// at most half of the device's lanes.
    [[nodiscard]] Ports on_one_cable(const Port& port) const;
    /// The ports that have the address, in the order of the host.
    [[nodiscard]] const Ports& holders_of(const Ip& address) const;
    /// The first other port of the fabric in the same IPv4 subnet, in the order of the fabric; null
    /// without one.
    [[nodiscard]] const Port* in_one_subnet(const Port& port) const;
    [[nodiscard]] const HostFabrics& fabrics() const { return fabrics_; }
    [[nodiscard]] bool is_of_fabric(std::string_view name) const { return fabric_.contains(name); }
    /// The ports outside the fabric in the same IPv4 subnet.
    [[nodiscard]] Ports strangers_in_subnet(const Port& port) const;
    /// Whether the profile wants the port down.
    [[nodiscard]] bool is_desired_down(std::string_view name) const { return down_.contains(name); }
    /// The port for which the profile states the address; empty where it states it for none.
    [[nodiscard]] const std::string& desired_at(std::string_view address) const;
    /// Whether the profile makes the port a bond's member.
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
    std::unordered_map<std::string_view, const std::string*> addressed_{};
    HostFabrics fabrics_{};
};

}  // namespace core
