// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>

#include "core/error.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// A folder or symbolic link passed on a path walk.
struct Passed {
    const std::filesystem::path& path;
    int file;  ///< open with O_PATH
    const struct stat& status;
    bool holds_file;  ///< a folder: holds the last name of the path or of a link's target
};

/// Where a path walk ended.
struct Reached {
    std::filesystem::path path{};  ///< with every link resolved
    netlink::Descriptor folder{};  ///< its folder, open with O_PATH
    std::string name{};            ///< within the folder; empty where the path ends in `..`
    netlink::Descriptor file{};    ///< the file, open with O_PATH; none where it does not exist
    struct stat status {};
    bool held = false;  ///< a descriptor inherited from the caller: /dev/stdin, /dev/fd/3
};

/// Resolves a path as the kernel would, component by component and through symbolic links, and
/// calls `visit`, which may throw, for each folder and link. Each component is opened in the folder
/// just visited, so nobody can swap one in between; O_PATH keeps devices from noticing. Throws
/// Error (`failed`) where a component cannot be examined.
Reached go(const std::filesystem::path& file, const std::function<void(const Passed&)>& visit,
           core::Status failed);

/// Reopens the file that go() reached with these flags. -1 and errno on failure. Throws as
/// expect_proc does (owner.hpp).
netlink::Descriptor reopened(const Reached& end, int flags);

}  // namespace cli
