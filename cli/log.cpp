// SPDX-License-Identifier: Apache-2.0
#include "cli/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "cli/views/printable.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {
namespace {

/// Not in spdlog's registry, which would make a logger of its own at every start.
spdlog::logger& diagnostics() {
    static spdlog::logger logger("rocectl", std::make_shared<spdlog::sinks::stderr_sink_st>());
    return logger;
}

}  // namespace

void start_log(int verbosity) {
    diagnostics().set_pattern("%n: %v");
    spdlog::level::level_enum level = spdlog::level::warn;
    if (verbosity < 0) level = spdlog::level::err;
    if (verbosity == 1) level = spdlog::level::info;
    if (verbosity > 1) level = spdlog::level::debug;
    diagnostics().set_level(level);
}

void log_error(const std::string& line) {
    diagnostics().error("{}", on_one_line(line));
}
void log_warning(const std::string& line) {
    diagnostics().warn("{}", on_one_line(line));
}
void log_info(const std::string& line) {
    diagnostics().info("{}", on_one_line(line));
}
void log_debug(const std::string& line) {
    diagnostics().debug("{}", on_one_line(line));
}

void log_to_system(const std::string& line) {
    constexpr std::string_view path = "/dev/log";
    sockaddr_un log{};
    log.sun_family = AF_UNIX;
    std::memcpy(log.sun_path, path.data(), path.size());
    // Without a time, which the daemon adds (RFC 3164, 4.3.2).
    std::string message = '<' + std::to_string(LOG_DAEMON | LOG_WARNING) + ">rocectl[" +
                          std::to_string(::getpid()) + "]: " + line;
    // Some daemons listen at a stream, whose lines end with a zero (syslog(3) tries both).
    for (const int type : {SOCK_DGRAM, SOCK_STREAM}) {
        const netlink::Descriptor socket(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (socket.number() < 0) return;
        if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&log), sizeof log) != 0)
            continue;
        if (type == SOCK_STREAM) message += '\0';
        ::send(socket.number(), message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        return;
    }
}

}  // namespace cli
