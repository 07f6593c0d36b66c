// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The bits of a bitset that has names (Documentation/networking/ethtool-netlink.rst, "Bit sets"):
/// with a mask every bit it covers, without one the bits that are set.
core::Flags decode_bitset(const Attributes& bitset);
/// Puts the bits of `then` that differ from `now`, by name; the kernel keeps the others.
void put_bitset(Message& request, int type, const core::Flags& now, const core::Flags& then);

std::optional<core::Flags> decode_private_flags(Bytes payload);
std::optional<core::Features> decode_features(Bytes payload);
/// What was asked for in a request and is not so (net/ethtool/features.c, features_send_reply).
core::Flags decode_unmet_features(Bytes payload);

void read_private_flags(Host& host, core::Port& port);
void write_private_flags(Host& host, const core::Port& now, const core::Port& then);
void read_features(Host& host, core::Port& port);
/// Takes back what the device does not do, and says so: the kernel would keep it as a request.
void write_features(Host& host, const core::Port& now, const core::Port& then);

}  // namespace netlink
