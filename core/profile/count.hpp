// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/profile/entry.hpp"
#include "core/profile/profile.hpp"

namespace core {

/// What there is to say where more or fewer ports match than the entry expects: what is missing,
/// as far as the match or the variables name ports.
std::optional<Finding> miscount(const Entry& entry, const std::vector<const Port*>& ports,
                                const State& inventory, const Variables& variables);

/// The entry without what hangs on the position of a port, which nobody knows while one is missing;
/// `roce` is that of the whole profile, or null.
Node without_index(const Node& entry, const Node* roce);

}  // namespace core
