// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// Whose a UNIX socket of this network namespace is, by its inode (net/unix/diag.c); nothing where
/// the kernel does not tell (before 5.3), or would load unix_diag for it (net/core/sock_diag.c
/// __sock_diag_cmd, Linux 7.3).
std::optional<std::uint32_t> owner_of_socket(const Machine& machine, std::uint32_t inode);

}  // namespace netlink
