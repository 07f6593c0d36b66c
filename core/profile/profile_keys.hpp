// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/profile/entry_keys.hpp"

namespace core {

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
