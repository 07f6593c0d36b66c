// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Throws Error (failed) where the folder, in which rocectl keeps something for itself, or the one
/// above it is another user's than root's and this one's, or for others to write: what is in it is
/// written to the kernel as root. False where it is not there.
bool check_own_folder(const std::filesystem::path& folder);

/// Makes the folder and those above it, and checks it. Throws Error (failed).
void make_own_folder(const std::filesystem::path& folder);

/// Opens a file in such a folder, never through a link. Throws Error (failed), also where it is
/// anything else than a file of root's or this user's that nobody else may write.
netlink::Descriptor open_own(const std::filesystem::path& path, int flags, unsigned mode = 0644);

/// The contents of a file, opened as open_own opens it. Throws Error (failed).
std::string read_own(const std::filesystem::path& path);

}  // namespace cli
