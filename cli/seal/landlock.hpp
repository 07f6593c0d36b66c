// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace cli {

/// Lets this process open no file for writing any more, make, move, remove and run none, take part
/// in no TCP connection, and reach no process outside by a signal or an abstract socket, as far
/// as the kernel's Landlock can. With `devices` those below /dev/infiniband, which verbs reads
/// through, are left open. The version of Landlock's interface that did it; 0 where the kernel has
/// none or refuses. Needs no_new_privs.
/// To `peer_ports` TCP connections can still be made, from any port of an address.
int close_files_by_landlock(bool devices, const std::vector<std::uint16_t>& peer_ports = {});

/// Takes from this process all that close_files_by_landlock(false) takes, but for signals: it is to
/// signal one that it started before, which is outside. Returns what that returns.
int close_files_but_signal();

/// Whether the kernel has it.
[[nodiscard]] bool has_landlock();

}  // namespace cli
