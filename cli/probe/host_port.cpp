// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/host_port.hpp"

#include <sys/socket.h>

#include <charconv>
#include <cstdint>
#include <system_error>

namespace cli {

/// An IPv6 address has colons of its own, so that its port stands behind brackets.
HostPort host_port_in(const std::string& text) {
    HostPort out{.host = text, .port = std::to_string(kProbePort)};
    const std::size_t colon = text.rfind(':');
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string::npos) return out;
        out.host = text.substr(1, end - 1);
        if (colon != std::string::npos && colon == end + 1) out.port = text.substr(colon + 1);
    } else if (colon != std::string::npos && text.find(':') == colon) {
        out.host = text.substr(0, colon);
        out.port = text.substr(colon + 1);
    }
    return out;
}

std::string with_address(const std::string& host, const core::Ip& address) {
    const std::string text = core::text(address);
    return (address.v6 ? "[" + text + "]" : text) + ":" + host_port_in(host).port;
}

FoundAddresses find_addresses(const HostPort& place, int flags, std::string& why) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    unsigned port = 0;
    const char* port_end = place.port.data() + place.port.size();
    const auto read = std::from_chars(place.port.data(), port_end, port);
    if (read.ec != std::errc() || read.ptr != port_end || port > UINT16_MAX) {
        why = "'" + place.port + "' is no port";
        return {nullptr, ::freeaddrinfo};
    }
    const int no = ::getaddrinfo(place.host.empty() ? nullptr : place.host.c_str(),
                                 place.port.c_str(), &hints, &found);
    if (no != 0) why = ::gai_strerror(no);
    return {found, ::freeaddrinfo};
}

}  // namespace cli
