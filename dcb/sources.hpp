// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlink/live.hpp"

namespace dcb {

/// The DCB objects: DCBX, ETS, rate limits, PFC, buffers and APP.
std::vector<netlink::Source> sources();
std::vector<netlink::Writer> writers();

}  // namespace dcb
