// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "netlink/codec.hpp"

namespace cli {

/// The codec of every object, in read order: what finds an RDMA device comes before what is read by
/// the device's name.
std::span<const netlink::Codec> codecs();

}  // namespace cli
