// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// What the port forces or offers. The speed of a port that negotiates is what all modes have in
/// common that it offers, never the one that came of it. Nothing where the message has no modes.
std::optional<core::LinkModes> decode_link_modes(Bytes payload);
/// Mb/s; nothing where the link has no speed now.
std::optional<std::uint32_t> decode_speed(Bytes payload);

/// The speed of the link and what it came from, in one exchange.
void read_link_modes(Machine& machine, const core::Scope& scope, core::State& state);
void write_link_modes(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
