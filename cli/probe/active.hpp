// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/views/active.hpp"

namespace cli {

/// The file with the secret where none is named.
inline constexpr const char* kProbeSecret = "/etc/rocectl/probe.secret";

/// How to probe.
struct ActiveOptions {
    std::string host{};                   ///< HOST, HOST:PORT
    std::optional<std::string> secret{};  ///< a file; nothing: kProbeSecret where there is one
    bool only_trusted = false;
    bool latency = true;  ///< else each operation alone
    bool colour = false;
    std::filesystem::path root{"/"};
    std::chrono::milliseconds limit{30'000};  ///< for all of it
};

/// Probes in a child process, which gives up what rights it has (seal_but_for_sending). What keeps
/// it from probing is a failure too.
Active probe_actively(const ActiveOptions& options);

}  // namespace cli
