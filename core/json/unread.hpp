// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/json.hpp"
#include "core/json/tree.hpp"

namespace core {

/// What a port of a state says of objects without values: `refused`, `unknown` and `absent`. Where
/// it was not observed, an errno and what is absent are held against what a kernel can have. What
/// is wrong is added to the problems, and left out.
void read_unread(const Node& node, const Pointer& pointer, bool observed, Problems& problems,
                 Port& out);

}  // namespace core
