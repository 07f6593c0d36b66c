// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "cli/options.hpp"
#include "cli/views/active.hpp"
#include "cli/views/style.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// The environment of a command. main builds it from the process, tests from strings and states.
struct Session {
    std::string command;
    Options options;
    Style style;            ///< of what goes to `out`
    bool progress = false;  ///< standard error is a terminal, with nothing else on it
    std::ostream& out;
    /// Opens the live host.
    std::function<std::unique_ptr<core::Kernel>(const netlink::Root& root)> live;
    /// Asks the user; empty where there is nobody to ask.
    std::function<bool(const std::string& question)> ask;
    /// The privilege that the process lacks to write to the live host; empty where it lacks none.
    std::function<std::string()> missing_privilege;
    /// Replaces the file that -o or --out names.
    std::function<void(const std::string& contents)> save{};
    /// Called when all files named by the user are read, or there are none.
    std::function<void()> files_read{};
    /// Whether a long-running command is to end.
    std::function<bool()> stopped{};
    /// Tells the process that waits, or guards, that the command goes on; of one that reads, also
    /// that it has begun to.
    std::function<void()> beat{};
    /// Who the run is recorded for; empty: the caller, whom a name service is asked for.
    std::string user{};
    /// The address of this host to which the caller's connection came (SSH_CONNECTION); empty where
    /// there is none, or it cannot be told.
    std::string session_address{};
    std::optional<Active>
        active{};                ///< result of --active, which sends before the process is sealed
    std::istream* in = nullptr;  ///< standard input, for streaming reads
};

}  // namespace cli
