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

namespace cli {

/// What a command works with. main makes it of the process, tests of strings and states.
struct Session {
    std::string command;
    Options options;
    Style style;            ///< of what goes to `out`
    bool progress = false;  ///< somebody looks at standard error, and it holds nothing else
    std::ostream& out;
    /// Opens the host that is not a --state file.
    std::function<std::unique_ptr<core::Kernel>(const std::filesystem::path& root)> live;
    /// Asks a person; empty where there is nobody to ask.
    std::function<bool(const std::string& question)> ask;
    /// What the process lacks for writing to the live host, empty where it lacks nothing.
    std::function<std::string()> missing_privilege;
    /// Replaces the file that -o or --out names.
    std::function<void(const std::string& contents)> save{};
    /// Called when all files that the user named are read, or none is to be.
    std::function<void()> files_read{};
    /// Of a command that goes on: whether it is to end.
    std::function<bool()> stopped{};
    /// Tells whoever waits for it that it lives, and begins to ask the kernel, if it has not.
    std::function<void()> beat{};
    std::optional<Active> active{};  ///< of --active, which sends before the process is sealed
    std::istream* in = nullptr;      ///< standard input, for what is read as it comes
};

}  // namespace cli
