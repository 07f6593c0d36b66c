// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

void write_rdma_moderation(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
