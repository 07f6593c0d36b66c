// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/model/ip.hpp"
#include "core/plan/kernel.hpp"

namespace core {

/// Whether a port loses its link in the plan, or may.
[[nodiscard]] bool costs_link(const Plan& plan);

/// What to read to see whether the plan cuts off whoever manages the host: of the ports that lose
/// their link, and of those that stand on them, what was not read for the plan. `inventory` has the
/// links of all ports. Without ports where the plan costs no link.
Scope management_scope(const Plan& plan, const State& inventory);

/// A note for each port by which the host's default route or the session leads, and which the plan
/// costs that: the link, its own or that of a port below it, the address of the session, or the
/// default route itself. `read` was read with management_scope; `session` is the address of the
/// host to which the session came; `guarded`: the apply goes back by itself.
std::vector<Finding> cut_management(const Plan& plan, const State& inventory, const State& read,
                                    const std::optional<Ip>& session, bool guarded);

}  // namespace core
