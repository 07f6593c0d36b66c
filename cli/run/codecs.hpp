// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "netlink/codec.hpp"

namespace cli {

/// How every object is read and written, in the order in which they are read: what finds an RDMA
/// device comes before what is read by its name.
std::span<const netlink::Codec> codecs();

}  // namespace cli
