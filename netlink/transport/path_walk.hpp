// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>

#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace netlink {

/// A folder or symbolic link passed on a path walk.
struct Passed {
    const std::filesystem::path& path;  ///< as HostPath::string
    int file;                           ///< open with O_PATH
    const struct stat& status;
    bool holds_file;  ///< a folder: holds the last name of the path or of a link's target
};

/// Where a path walk ended.
struct Reached {
    int error = 0;                 ///< an errno: it did not get to the end
    std::filesystem::path path{};  ///< as HostPath::string, with every link resolved
    Descriptor folder{};           ///< its folder, open with O_PATH
    std::string name{};            ///< within the folder; empty where the path ends in a folder
    Descriptor file{};             ///< the file, open with O_PATH; none where it does not exist
    struct stat status {};
    bool held = false;  ///< a descriptor inherited from the caller: /dev/stdin, /dev/fd/3
};

/// Resolves a path as the kernel would, component by component and through symbolic links, and
/// calls `visit`, which may throw, for each folder and link. Each component is opened in the folder
/// just visited, so nobody can swap one in between; O_PATH keeps devices from noticing. `..` leads
/// back to the folder that was come from, and from the root to itself. Links of proc(5) to what a
/// process has open are followed to it at the end of a path alone, and below no given root.
Reached walk(const HostPath& file, const std::function<void(const Passed&)>& visit,
             AtEnd link = AtEnd::follow);

}  // namespace netlink
