// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/probe/rail.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/message.hpp"

namespace cli {

/// What a server needs to take part in a mesh.
struct MeshTasks {
    std::string secret{};             ///< of all servers of the mesh
    std::optional<core::Ip> bound{};  ///< the one address at which it can be reached
};

/// The message by which a server is asked to measure another, with the options of the command line
/// that say how.
core::probe::Message mesh_task(const Options& options, const std::string& peer,
                               const std::optional<core::Ip>& from);

/// What the other asked for, held to what the command line would be held to. Throws Error.
Measuring measuring_in(const core::probe::Message& asked);

/// What this host says of itself before a mesh begins: its rails, and where it is reached.
core::probe::Message introduction(core::Kernel& kernel, const MeshTasks& mesh_tasks,
                                  const core::Ip& reached);

/// Measures the server that the message names as `probe run` does, and says what was found. Throws
/// Error where the message is none.
core::probe::Message run_mesh_task(const core::probe::Message& asked, core::Kernel& kernel,
                                   const MeshTasks& mesh_tasks,
                                   const std::function<bool()>& stopped);

}  // namespace cli
