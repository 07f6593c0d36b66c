// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "netlink/transport/host_path.hpp"

namespace cli {

/// Has systemd move a process into a transient scope of its own
/// (org.freedesktop.systemd1.Manager.StartTransientUnit, as systemd-run --scope does), and looks
/// whether it is there. Empty where it is; else why not. Takes a few seconds at most.
std::string scope_fails(const netlink::Root& root, long process, std::uint64_t entry);

}  // namespace cli
