// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/desired.hpp"
#include "core/model/state.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/report.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/rail.hpp"

namespace verbs {

/// A path: a connection to the server, and the local rail.
struct Path {
    ControlConnection control_connection;
    Rail rail;
    std::uint8_t traffic_class = 106;        ///< of packets sent
    std::optional<unsigned> priority{};      ///< of those packets, where known
    std::optional<unsigned> cnp_priority{};  ///< of congestion notification packets, where known
    std::string unsupported_text{};          ///< why there is no RDMA here, where RDMA is optional
};

struct Paths {
    std::vector<Path> all{};
    /// Rails of either side without a counterpart, each as a failing report.
    std::vector<core::probe::PathReport> lost{};
};

/// The paths to measure, each connected, before the handshake: from the named rail, else from the
/// address that the route to the peer uses, or with `all` from each rail to its counterpart. Throws
/// Error (usage) for options that exclude each other, Error (failed) where the peer cannot be
/// reached, this host has no such rail and RDMA is mandatory, or other processes have queue pairs
/// on it.
Paths paths_of(const core::State& state, const core::probe::Parameters& parameters,
               const std::string& host, const std::string& secret);

/// Throws Error (failed) where other processes have queue pairs on the rail, unless --force is
/// given.
void check_holders(const Rail& rail, const core::probe::Parameters& parameters);
/// The path from the rail with this local address. Throws NoRail, and the same.
Path path_from(const core::State& state, const core::probe::Parameters& parameters,
               const core::Ip& own, const std::string& host);

/// Sets each path's traffic class and priority to those of RoCE on its port: from `desired_values`
/// if given, else from the host's own settings where they agree (core/checks/effective_intent.hpp),
/// else DSCP 26 and no priority. A DSCP of the command line overrides them.
void set_traffic_classes(core::Kernel& kernel, const core::DesiredState* desired_values,
                         const core::probe::Parameters& parameters, std::vector<Path>& paths);

}  // namespace verbs
