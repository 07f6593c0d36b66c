// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/profile/entry.hpp"
#include "core/profile/fabric.hpp"

namespace core {

/// Two wishes that cannot both be meant.
struct Fault {
    FindingId id;
    std::string text;
    std::string remedy;
    const Wish* at = nullptr;  ///< the one to blame
};

/// Runs the checks that need only settings on the state that the claims describe, and holds the
/// claims against what the switches do. A check that needs a key which is not claimed, or is still
/// `open`, says nothing.
std::vector<Fault> inconsistencies(const std::vector<Wish>& claims,
                                   const std::optional<Intent>& intent,
                                   const std::optional<Fabric>& fabric, const Driver& driver,
                                   const std::set<const Field*>& open = {});

/// What of the claims the switches do otherwise; each fault names both sides.
std::vector<Fault> disagreements(const std::vector<Wish>& claims,
                                 const std::optional<Intent>& intent, const Fabric& fabric);

}  // namespace core
