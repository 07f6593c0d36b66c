// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/state.hpp"

namespace netlink {

/// The host's name and kernel release (uname(2)).
core::Host identity();

}  // namespace netlink
