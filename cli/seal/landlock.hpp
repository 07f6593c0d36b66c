// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace cli {

/// What a sealed process reaches of the network all the same.
struct ReachedPorts {
    std::vector<std::uint16_t> tcp{};  ///< from any port of an address
    bool udp = false;  ///< whatever the port there, from one that the kernel chooses
};

/// Lets this process open no file for writing any more, make, move, remove and run none, take part
/// in no TCP connection and send no UDP datagram, but to the `reached` ports, and reach no process
/// outside by a signal or a UNIX socket, as far as the kernel's Landlock can. With `devices` those
/// below /dev/infiniband, which verbs reads through, are left open. The version of Landlock's
/// interface that brought the last of the rights that are taken, which can be less than the
/// kernel's (Linux 7.3 Documentation/userspace-api/landlock.rst); 0 where the kernel has none or
/// refuses. Needs no_new_privs.
int close_files_by_landlock(bool devices, const ReachedPorts& reached = {});

/// Takes from this process all that close_files_by_landlock(false) takes, but for signals: it is to
/// signal one that it started before, which is outside. Returns what that returns.
int close_files_but_signal();

/// Whether the kernel has it.
[[nodiscard]] bool has_landlock();

}  // namespace cli
