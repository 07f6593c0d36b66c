// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlink/transport/host_path.hpp"

namespace cli {

/// Makes the folder and its parents. Throws Error (failed).
void make_folder(const netlink::HostPath& folder);

/// Creates a file with these contents and `reserve` bytes of disk for later appends, completely or
/// not at all, also across power loss: temporary file, fsync, rename, fsync of the folder. Throws
/// Error (failed) where the file exists or cannot be made.
void create_durably(const netlink::HostPath& path, const std::string& text, std::size_t reserve);

/// Appends a line; it is on disk on return. An incomplete last line is overwritten. Throws Error
/// (failed).
void append_durably(const netlink::HostPath& path, const std::string& line);

/// Releases the unused rest of create_durably's reserve; on failure it stays reserved.
void release_reserve(const netlink::HostPath& path);

/// Renames a file within its folder; the change is on disk on return. Throws Error (failed).
void rename_durably(const netlink::HostPath& from, const netlink::HostPath& to);

}  // namespace cli
