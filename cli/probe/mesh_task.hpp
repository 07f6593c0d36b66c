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

/// The settings of a server that takes part in a mesh.
struct MeshTasks {
    std::string secret{};             ///< shared by all servers of the mesh
    std::optional<core::Ip> bound{};  ///< the only address at which it can be reached
};

/// The message that asks a server to measure another, with the options of the command line for it.
core::probe::Message mesh_task(const Options& options, const std::string& peer,
                               const std::optional<core::Ip>& from);

/// Parses such a message, with the checks of the command line. Throws Error.
Measuring measuring_in(const core::probe::Message& asked);

/// This host's message before a mesh begins: its rails, and the address that reaches it.
core::probe::Message introduction(core::Kernel& kernel, const MeshTasks& mesh_tasks,
                                  const core::Ip& reached);

/// Measures the server named in the message as `probe run` does, and returns the result. Throws
/// Error for an invalid message.
core::probe::Message run_mesh_task(const core::probe::Message& asked, core::Kernel& kernel,
                                   const MeshTasks& mesh_tasks,
                                   const std::function<bool()>& stopped);

}  // namespace cli
