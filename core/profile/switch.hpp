// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/json/tree.hpp"
#include "core/model/switch_settings.hpp"
#include "core/profile/keys.hpp"

namespace core {

/// The keys of `switch`.
std::span<const SectionKey> switch_keys();

/// Reads `switch`; nothing where it is null, or invalid and a problem. Values with unresolved
/// `${…}` are left out.
std::optional<SwitchSettings> read_switch(const Node& node, const std::string& pointer,
                                          Problems& problems);

}  // namespace core
