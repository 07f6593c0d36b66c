// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/json/tree.hpp"
#include "core/model/field.hpp"

namespace core {

/// The known key that a person most likely meant; empty where none is near.
std::string nearest(std::string_view key, const std::vector<std::string>& known);

/// `found unknown key 'X', did you mean 'Y'?`, or what would be accepted where nothing is near.
std::string unknown_key(std::string_view key, const std::vector<std::string>& known);

/// The names as messages list them: `mtu, pfc.priorities`.
std::string listed(const std::vector<std::string>& names);

/// A key of `switch`, of `probe` or of an element of `accepted`.
struct SectionKey {
    std::string_view name;
    Shape shape;
    std::string_view doc;
};
/// Reads such an object key by key: `take` gets every legal value. What is wrong is added to
/// `problems`; a value that holds `${…}` is left out.
void read_section(const Node& node, const std::string& pointer, std::span<const SectionKey> keys,
                  Problems& problems,
                  const std::function<void(const SectionKey&, const Stated&)>& take);

/// A key of an entry of `ports` that is not a setting.
struct EntryKey {
    std::string_view name;
    std::string_view doc;
    std::string_view takes{};
};
std::span<const EntryKey> entry_keys();
/// The keys that `host` of a profile takes beside the settings.
std::span<const EntryKey> host_entry_keys();

/// Whether the field is a setting that `host` of a profile (`host` true) or an entry may state.
bool may_state(const Field& field, bool host);
/// Whether `facts` of an entry may state the field: facts of a port with a plain value, or with one
/// for each name.
[[nodiscard]] bool may_expect(const Field& field);
/// The keys of facts that begin with the prefix, without it.
std::vector<std::string> facts_below(const std::string& prefix);
/// Keys of a bond start with this; inside "host.bonds" of a profile it is left out.
inline constexpr std::string_view kBondKeys = "bond.";

/// Whether `vlans` may state the setting, that is, whether its value on a new VLAN is known. Most
/// others are those of the parent port or follow from the host's defaults.
bool may_be_of_vlan(const Field& field);

/// The keys allowed below a prefix such as `ring.`, without it; below `host.`, those of the host.
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
