// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/views/active.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// The options of an active probe.
struct ActiveOptions {
    std::string host{};                   ///< HOST, HOST:PORT
    std::optional<std::string> secret{};  ///< a file; nothing: kProbeSecret if it exists
    bool only_trusted = false;
    bool latency = true;  ///< measure latency; else only try each operation
    bool colour = false;
    netlink::Root root{};
    std::chrono::milliseconds limit{30'000};  ///< for the whole probe
};

/// Probes from a child process that gives up its rights (seal_but_for_sending). What keeps it from
/// probing is a failure too.
Active probe_actively(const ActiveOptions& options);

}  // namespace cli
