// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Throws Error (failed) where a folder of rocectl's own files, or its parent named rocectl,
/// belongs to a user other than root and this one, or others may write it: its contents are written
/// to the kernel as root. False where the folder is missing.
bool check_own_folder(const netlink::HostPath& folder);

/// Makes the folder and its parents, then checks it as check_own_folder does. Throws Error
/// (failed).
void make_own_folder(const netlink::HostPath& folder);

/// Opens a file in such a folder, without following a link. Throws Error (failed), also for
/// anything but a regular file of root's or this user's that nobody else may write.
netlink::Descriptor open_own(const netlink::HostPath& path, int flags, unsigned mode = 0644);

/// Reads a file opened by open_own. Throws Error (failed).
std::string read_own(const netlink::HostPath& path);

}  // namespace cli
