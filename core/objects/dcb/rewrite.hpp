// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "core/model/edit.hpp"
#include "core/objects/dcb/app.hpp"

namespace core {

/// What the port writes into the packets it sends: entries of the same form, of which each gives
/// its priority's packets its protocol.
struct Rewrite {
    std::set<AppEntry> entries;
    bool operator==(const Rewrite&) const = default;
};

}  // namespace core

namespace core::rewrite {

/// How to get from one table to the other.
std::vector<Edit<AppEntry>> edits(const Rewrite& now, const Rewrite& then);

}  // namespace core::rewrite
