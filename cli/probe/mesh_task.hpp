// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "core/model/ip.hpp"
#include "core/probe/message.hpp"

namespace cli {

/// The message that asks a server to measure another, with the options of the command line for it.
core::probe::Message mesh_task(const Options& options, const std::string& peer,
                               const std::optional<core::Ip>& from);

/// Parses such a message, with the checks of the command line. Throws Error.
core::probe::Parameters parameters_in(const core::probe::Message& asked);

}  // namespace cli
