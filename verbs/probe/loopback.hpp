// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <vector>

#include "core/plan/kernel.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/report.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/rail.hpp"
#include "verbs/probe/run.hpp"

namespace verbs {

/// A probe server in a child process, reached over a socket pair. It ends with this object and with
/// this process.
class LocalPeer {
public:
    using Open = std::function<std::unique_ptr<core::Kernel>()>;

    /// Throws Error (failed) where the child cannot be started.
    LocalPeer(const core::Ip& address, const Open& open,
              const std::function<void(const std::string&)>& warn);
    LocalPeer(const LocalPeer&) = delete;
    LocalPeer& operator=(const LocalPeer&) = delete;
    ~LocalPeer();

    /// This process's end of the pair; can be taken once.
    [[nodiscard]] ControlConnection take_control_connection();

private:
    netlink::Descriptor end_;
    pid_t child_ = -1;
};

/// Probes each rail to itself and, where there are several, each to all later ones: the paths
/// within one host. Throws Error (failed) where other processes have queue pairs on one of them.
std::vector<core::probe::PathReport> run_loopback(const std::vector<Rail>& rails,
                                                  const core::probe::Parameters& parameters,
                                                  const LocalPeer::Open& open,
                                                  const RunSettings& settings);

}  // namespace verbs
