// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/plan/apply.hpp"

namespace core {

/// Before a step that costs a port its link: waits until the ports whose link was written before
/// have the carrier again that they had, so that not all rails of a host are down at once. The
/// failure where one has not got it in time.
std::optional<Finding> await_link(Kernel& kernel, const Plan& plan, std::size_t next,
                                  std::chrono::milliseconds time, Recorder& recorder);

/// After the last step: waits until the carriers are what they were, and RDMA ports whose netdev,
/// addresses or device were written are active and, of RoCE, have a GID for each address. What
/// has not come in time: a failure for a carrier, else a note.
std::vector<Finding> await_all(Kernel& kernel, const Plan& plan, std::chrono::milliseconds time,
                               Recorder& recorder);

}  // namespace core
