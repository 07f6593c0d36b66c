// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Whether HOST:PORT takes a TCP connection within 3 s; else why not.
std::string tcp_fails(const std::string& address);

/// Whether the RDMA connection manager of HOST answers a request to connect, be it with a no,
/// within 3 s; else why not.
std::string rdma_fails(const std::string& host);

}  // namespace cli
