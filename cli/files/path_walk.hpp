// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/error.hpp"
#include "netlink/transport/path_walk.hpp"

namespace cli {

using netlink::Passed;
using netlink::Reached;

/// As netlink::walk. Throws Error (`failed`) where a component cannot be examined.
Reached go(const netlink::HostPath& file, const std::function<void(const Passed&)>& visit,
           core::Status failed);

/// Reopens the file that go() reached with these flags. -1 and errno on failure. Throws as
/// expect_proc does (owner.hpp).
netlink::Descriptor reopened(const Reached& end, int flags);

}  // namespace cli
