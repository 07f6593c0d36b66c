// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Empty where HOST:PORT accepts a TCP connection within 3 s; else why not.
std::string tcp_fails(const std::string& address);

/// Empty where the RDMA connection manager of HOST answers a connection request within 3 s, even
/// with a rejection; else why not.
std::string rdma_fails(const std::string& host);

}  // namespace cli
