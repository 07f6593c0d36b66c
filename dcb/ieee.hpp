// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace dcb {

/// What one DCB_CMD_IEEE_GET answers.
inline constexpr std::array kOfIeee = {core::Object::ets, core::Object::maxrate,
                                       core::Object::pfc, core::Object::buffer,
                                       core::Object::app, core::Object::rewrite};

/// Fills what is wanted of it, in one exchange a port.
void read_ieee(netlink::Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace dcb
