// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/field.hpp"

namespace core {

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

}  // namespace core
