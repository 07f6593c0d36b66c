// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"
#include "core/error.hpp"

namespace cli {

/// The command that was called, as error reports need it.
struct Call {
    std::string command{};
    Output form = Output::text;
    bool writes = false;  ///< writes the host, or a state file with --state
};

/// Runs `work` and returns its status. Exceptions are reported and become a status: that of an
/// Error, else failed.
core::Status caught(const Call& call, const std::function<core::Status()>& work);

/// Flushes standard output. Where that fails, the failure is reported, and `done` of a command that
/// only reads becomes `failed`. A command that writes keeps its status, and so does any other
/// status.
core::Status flushed(const Call& call, core::Status status);

}  // namespace cli
