// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace verbs {

/// Whether the RDMA connection manager at the host answers a request to connect within the time, be
/// it with a rejection, which only a peer can send (rdma_cm(7)); else why not.
std::string peer_fails(const std::string& host, std::chrono::milliseconds limit);

}  // namespace verbs
