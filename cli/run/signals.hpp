// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdint>
#include <map>

namespace cli {

/// While it lives, SIGINT and SIGTERM are kept until somebody asks. For a run that writes SIGHUP
/// and SIGPIPE are ignored, since a write may drop the very link rocectl was called over; one that
/// listens SIGHUP ends too, but where the caller had it ignored (nohup). One that lives within
/// another keeps what that one was asked, and puts back what that one did about signals.
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
