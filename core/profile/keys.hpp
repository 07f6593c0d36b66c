// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/field.hpp"

namespace core {

/// The known key that a person most likely meant; empty where none is near.
std::string nearest(std::string_view key, const std::vector<std::string>& known);

/// `found unknown key 'X', did you mean 'Y'?`, or what would be accepted where nothing is near.
std::string unknown_key(std::string_view key, const std::vector<std::string>& known);

/// `mtu, pfc.priorities`: what could stand in a place.
std::string listed(const std::vector<std::string>& names);

/// A key of an entry of `ports` that is not a setting.
struct EntryKey {
    std::string_view name;
    std::string_view doc;
    std::string_view takes{};
};
std::span<const EntryKey> entry_keys();
/// The keys that `host` of a profile takes beside the settings.
std::span<const EntryKey> host_entry_keys();

/// Whether an entry may state the setting: one of ports, or the host's.
bool may_state(const Field& field, bool host);
/// Whether a profile may say how the fact should be: a plain one of a port, or what has a name.
[[nodiscard]] bool may_expect(const Field& field);
/// The keys of facts that begin with the prefix, without it.
std::vector<std::string> facts_below(const std::string& prefix);
/// Keys of a bond start with this; inside "host.bonds" of a profile it is left out.
inline constexpr std::string_view kBondKeys = "bond.";

/// Whether it is known what a VLAN that was just made has of the setting; much else is that of the
/// port below, or follows from the host's defaults.
bool may_be_of_vlan(const Field& field);

/// The keys allowed below a prefix; for a prefix of the host's keys, those.
std::vector<std::string> keys_below(const std::string& prefix);

/// What stands at the top of a profile, in the order of the manual.
std::span<const EntryKey> top_keys();

/// A key of a profile that is no setting and no part of `roce`, by the whole name under which it is
/// explained: extends, match.driver, switch.lossless.
struct ProfileKey {
    std::string name;
    std::string doc;
    std::string takes;
    std::string place;  ///< where it stands
};

/// Every ProfileKey there is, from the tables that profiles are read by.
std::vector<ProfileKey> profile_keys();

}  // namespace core
