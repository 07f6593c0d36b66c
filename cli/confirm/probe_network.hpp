// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// The addresses of HOST:PORT, separated by blanks: `192.0.2.1:22 [2001:db8::1]:22`. A process of
/// its own asks for them. Throws Error (failed) where there is none, or no answer in 5 s.
std::string tcp_addresses(const std::string& host_and_port);

/// Empty where one of the addresses accepts a TCP connection within 3 s; else why not.
std::string tcp_fails(const std::string& addresses);

/// The same of HOST: `192.0.2.1 2001:db8::1`.
std::string rdma_addresses(const std::string& host);

/// Empty where the RDMA connection manager at one of the addresses answers a connection request
/// within 3 s, even with a rejection; else why not.
std::string rdma_fails(const std::string& addresses);

}  // namespace cli
