// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/tree.hpp"
#include "core/profile/profile.hpp"

namespace core {

/// `over` on top of `base`: objects key by key, everything else replaced.
Node merge(Node base, Node over);

/// The profile with all that it extends, every file checked by itself. The merged tree holds
/// name, roce, switch, host and ports; what is wrong is added to `problems`.
Node load_merged(const Source& source, const Loader& load, Problems& problems);

/// Where each entry of merged `ports` stands in its own file: `/ports/1`. None without them.
std::vector<std::string> entry_pointers(const Node* ports);

}  // namespace core
