// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cli {

/// While it lives, SIGHUP and SIGPIPE are ignored, since a write may drop the very link rocectl
/// was called over, and SIGINT and SIGTERM are kept until somebody asks.
class Signals {
public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    [[nodiscard]] bool asked_to_stop() const;
};

}  // namespace cli
