// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/json.hpp"
#include "core/json/tree.hpp"

namespace core {

/// Reads what a port of a state holds of objects without values: `refused`, `unknown` and `absent`.
/// Unless observed, errnos and absent objects are checked against what a kernel can have. Invalid
/// ones become problems and are left out.
void read_unread(const Node& node, const Pointer& pointer, bool observed, Problems& problems,
                 Port& out);

}  // namespace core
