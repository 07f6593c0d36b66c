// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"
#include "core/error.hpp"

namespace cli {

/// What was called, as far as telling what went wrong needs it.
struct Call {
    std::string command{};
    Output form = Output::text;
    bool writes = false;  ///< the host, or the state file in its place
};

/// Does the work; what it throws is reported, and is the status.
core::Status caught(const Call& call, const std::function<core::Status()>& work);

/// The status of a command that writes, and that of verify where something differs, stands though
/// the output cannot be written; elsewhere that is reported, and is a failure.
core::Status flushed(const Call& call, core::Status status);

}  // namespace cli
