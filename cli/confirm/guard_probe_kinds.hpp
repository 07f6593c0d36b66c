// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// How each kind of the guard's probes is asked (GuardProbe::fails), and what of it is fixed before
/// the apply (GuardProbe::found).
namespace cli {

/// The gateways of the default routes in the main table, separated by blanks: `192.0.2.254
/// fe80::1%ens1f0`. There is no argument. Multipath routes are left out. Throws KernelError.
std::string default_gateways(const std::string& none);

/// Sends an echo request (RFC 792, RFC 4443) to each gateway. Empty where all answer within 3 s;
/// else why not. No gateway is a failure.
std::string gateways_fail(const std::string& gateways);

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

/// Runs the program in the first word of the line. Empty where it exits with 0 within 10 s; else
/// why not. The line is split into words as by a shell, without command substitution (wordexp(3),
/// WRDE_NOCMD).
std::string command_fails(const std::string& line);

}  // namespace cli
