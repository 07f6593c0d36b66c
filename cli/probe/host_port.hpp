// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netdb.h>

#include <memory>
#include <string>

#include "core/model/ip.hpp"

namespace cli {

/// The default port of probe servers.
inline constexpr unsigned kProbePort = 18516;

/// A host's name or address, and a port in decimal digits.
struct HostPort {
    std::string host{};
    std::string port{};
};
/// Parses `HOST`, `HOST:PORT`, `ADDRESS6` or `[ADDRESS6]:PORT`; without a port, kProbePort.
HostPort host_port_in(const std::string& text);
/// `ADDRESS:PORT` or `[ADDRESS6]:PORT`: this address with the port in `host`, in a form that
/// host_port_in takes.
std::string with_address(const std::string& host, const core::Ip& address);

using FoundAddresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;
/// Resolves with getaddrinfo(3) and these flags. Null where there is no address; `why` is then its
/// error text.
FoundAddresses find_addresses(const HostPort& place, int flags, std::string& why);

}  // namespace cli
