// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

std::optional<core::Features> decode_features(Bytes payload);

/// The features that a request asked for and that did not become so (net/ethtool/features.c,
/// features_send_reply).
core::Flags decode_unmet_features(Bytes payload);

void read_features(Machine& machine, const core::Scope& scope, core::State& state);

/// Takes back what the device does not do, and says so: the kernel would keep it as a request.
void write_features(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
