// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/profile/conflict.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/roce_intent.hpp"
#include "core/profile/switch.hpp"

namespace core {

/// All that the entries state for one port; whether they agree is not known yet.
struct PortDesired {
    const Port* port = nullptr;
    std::vector<Desired>
        desired_values{};  ///< at the host each is of the port whose entry states it
    std::vector<Exact> exact{};
    std::optional<Intent> intent{};            ///< of all entries, as one
    std::optional<SwitchSettings> switches{};  ///< what the switches do
    Said rdma_device{};                        ///< with no value where no entry says it
    Said fabric_name{};                        ///< likewise
};

/// Adds desired values, of whatever port, as desired values of this one.
void add(DesiredValues desired, PortDesired& all);

/// What a profile states for each port of a host, before contradictions between entries are looked
/// for. Ports are in the order in which they are written; the host itself is the last.
struct Collection {
    std::vector<PortDesired> ports{};
    std::deque<Port> made{};  ///< children that are not in the inventory
    std::vector<Finding> findings{};
    std::vector<NamedFabric> fabrics{};
    std::vector<MissingPorts> missing{};
};

/// Matches ports, substitutes variables and derives, once for each entry and port. Throws Error
/// (invalid_input) as resolve() does. The result points into the inventory. With `only`, keeps that
/// port, the bond it is a member of, and VLANs on either. `earlier` is an inventory of when all
/// ports were there, where one is known.
Collection gather(const Profile& profile, const Variables& variables, const State& inventory,
                  const std::string& only, const std::optional<State>& earlier);

}  // namespace core
