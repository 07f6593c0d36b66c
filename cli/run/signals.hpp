// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdint>
#include <map>

namespace cli {

/// While it lives, SIGINT and SIGTERM only set a flag. A writer also keeps SIGQUIT from ending it,
/// and ignores SIGHUP and SIGPIPE, since a write may drop the very link rocectl was called over. A
/// listener is stopped by SIGHUP too, unless the caller had it ignored (nohup). A nested object
/// keeps the flag of the outer one, and restores its signal handlers.
class Signals {
public:
    enum class Of : std::uint8_t { writer, listener };
    explicit Signals(Of of = Of::writer);
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    [[nodiscard]] bool asked_to_stop() const;

private:
    std::map<int, struct sigaction> before_{};
};

}  // namespace cli
