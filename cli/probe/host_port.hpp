// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netdb.h>

#include <memory>
#include <string>

#include "core/model/ip.hpp"

namespace cli {

/// Where servers of a probe listen if nothing else is said.
inline constexpr unsigned kProbePort = 18516;

/// Where a host is reached: its name or address, and a port in decimal digits.
struct HostPort {
    std::string host{};
    std::string port{};
};
/// What `HOST`, `HOST:PORT`, `ADDRESS6` or `[ADDRESS6]:PORT` says; without a port kProbePort.
HostPort host_port_in(const std::string& text);
/// `ADDRESS:PORT` or `[ADDRESS6]:PORT`, as host_port_in takes them: the address, with the port that
/// host_port_in finds in `host`.
std::string with_address(const std::string& host, const core::Ip& address);

using FoundAddresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;
/// The addresses that getaddrinfo(3) finds with these flags; null where it finds none, and `why`
/// then has its words.
FoundAddresses find_addresses(const HostPort& place, int flags, std::string& why);

}  // namespace cli
