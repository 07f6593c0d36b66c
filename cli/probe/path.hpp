// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/measuring.hpp"
#include "cli/probe/control_connection.hpp"
#include "cli/probe/rail.hpp"
#include "core/model/state.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// One connection to the server, and what of this host sends.
struct Path {
    ControlConnection control_connection;
    Rail rail;
    std::uint8_t traffic_class = 106;        ///< of what is sent by it
    std::optional<unsigned> priority{};      ///< in which that is to travel, where it is known
    std::optional<unsigned> cnp_priority{};  ///< the same of notifications of congestion
    std::string unsupported_text{};  ///< why this host has no RDMA there, where it can be left out
};

struct Paths {
    std::vector<Path> all{};
    /// Of the rails of either side that have no counterpart, each as a report that fails.
    std::vector<core::probe::PathReport> lost{};
};

/// The paths that are to be measured, each connected, not yet greeted: that of the rail that is
/// named, else the one of the address that the route to the peer gives, or with `all` each rail to
/// its counterpart. Throws Error (usage) for options that exclude each other, Error (failed) where
/// the peer cannot be reached, this host has no such rail and RDMA cannot be left out, or others
/// have queue pairs on it.
Paths paths_of(const core::State& state, const Measuring& measuring, const std::string& host,
               const std::string& secret);

/// Throws Error (failed) where others have queue pairs on the rail, unless --force allows it.
void check_holders(const Rail& rail, const Measuring& measuring);
/// The path from the rail that has an address of this host. Throws NoRail, and the same.
Path path_from(const core::State& state, const Measuring& measuring, const core::Ip& own,
               const std::string& host);

}  // namespace cli
