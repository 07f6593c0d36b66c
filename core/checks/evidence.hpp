// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/model/finding.hpp"
#include "core/plan/wish.hpp"
#include "core/profile/fabric.hpp"
#include "core/profile/intent.hpp"

namespace core {

/// What findings are looked for in. What is not there is not known, and agrees with everything.
struct Evidence {
    const Driver* driver = nullptr;
    const Port* now = nullptr;     ///< as it reads; null: as the wishes describe it
    const Port* before = nullptr;  ///< the same port at an earlier time
    std::span<const Wish> wishes{};
    const Intent* intent = nullptr;                ///< what some of the wishes are derived from
    const Fabric* fabric = nullptr;                ///< what the switches do
    const std::set<const Field*>* open = nullptr;  ///< wished, of a value not known yet
};

/// What a row found: two things that cannot both be meant, or one that cannot be.
struct Fault {
    std::string text{};
    std::string remedy{};             ///< where it knows a better one than the row
    const Wish* at = nullptr;         ///< the one to blame; null where no wish is
    const FindingRow* row = nullptr;  ///< set by examine
};
using Faults = std::vector<Fault>;

/// What the row finds. Nothing where something that it needs is not known: that is no pass.
std::optional<Faults> examine(const FindingRow& row, const Evidence& evidence);

/// The wish for the element; null where there is none.
const Wish* find_wish(const Evidence& evidence, std::string_view key,
                      std::string_view element = "");

}  // namespace core
