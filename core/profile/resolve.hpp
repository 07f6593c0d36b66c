// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/profile/profile.hpp"

namespace core {

/// Matches ports, substitutes variables, derives settings from `roce`. What only the host can show
/// (no port matched, conflict) is a finding; an unknown variable, or a value illegal after
/// substitution, throws Error (invalid_input). With `only`, resolves just that port, the bond it is
/// a member of, and VLANs on either. `earlier` is an inventory of when all ports were there, from
/// which an entry that allows missing ports counts them.
DesiredState resolve(const Profile& profile, const Variables& variables, const State& inventory,
                     const std::string& only = {},
                     const std::optional<State>& earlier = std::nullopt);

/// Whether an entry of the profile says what follows from missing ports, so that an earlier
/// inventory is of use.
bool may_miss_ports(const Profile& profile);

/// Whether every entry matched the ports it expects, so that their order is known.
bool is_complete(const DesiredState& desired_values);

/// The ports of `now`, and those of `earlier` that are not among them by name or PCI address. So
/// an entry counts its ports as when all of them were there. Nothing where a port of now has the
/// name or the place of one that was another device (its permanent MAC): then nobody knows.
std::optional<State> with_missing(State now, const State& earlier);

/// The desired state of one port, by its position in `earlier` where other ports are missing now;
/// without a known position, a finding whose remedy says what to do.
DesiredState resolve_one(const Profile& profile, const Variables& variables, const State& inventory,
                         const std::optional<State>& earlier, const std::string& port);

/// The part of an inventory that tells one port from another, without what changes by itself.
State places_of(const State& inventory);

}  // namespace core
