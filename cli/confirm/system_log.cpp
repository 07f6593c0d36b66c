// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/system_log.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "netlink/transport/descriptor.hpp"

namespace cli {

void tell_system(const std::string& text) {
    constexpr std::string_view path = "/dev/log";
    sockaddr_un log{};
    log.sun_family = AF_UNIX;
    std::memcpy(log.sun_path, path.data(), path.size());
    // Without a time, which the daemon adds (RFC 3164, 4.3.2).
    std::string line = '<' + std::to_string(LOG_DAEMON | LOG_WARNING) + ">rocectl[" +
                       std::to_string(::getpid()) + "]: " + text;
    // Some daemons listen at a stream, whose lines end with a zero (syslog(3) tries both).
    for (const int type : {SOCK_DGRAM, SOCK_STREAM}) {
        const netlink::Descriptor socket(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (socket.number() < 0) return;
        if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&log), sizeof log) != 0)
            continue;
        if (type == SOCK_STREAM) line += '\0';
        ::send(socket.number(), line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        return;
    }
}

}  // namespace cli
