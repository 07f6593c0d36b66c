// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace netlink {

/// Whose a UNIX socket of this network namespace is, by its inode (net/unix/diag.c); nothing where
/// the kernel does not tell (before 5.3, or without unix_diag).
std::optional<std::uint32_t> owner_of_socket(std::uint32_t inode);

}  // namespace netlink
