// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>

#include "core/error.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// A folder or a symbolic link on the way to a file.
struct Passed {
    const std::filesystem::path& path;
    int file;  ///< open (O_PATH)
    const struct stat& status;
    bool holds_file;  ///< a folder: the last name of the way, or of a link's, is in it
};

/// Where a way ends.
struct Reached {
    std::filesystem::path path{};  ///< every link followed
    netlink::Descriptor folder{};  ///< that holds it (O_PATH)
    std::string name{};            ///< in there; empty where the way ends in a folder by `..`
    netlink::Descriptor file{};    ///< itself (O_PATH); none where there is no such file
    struct stat status {};
    bool held = false;  ///< a descriptor that the caller gave this process: /dev/stdin, /dev/fd/3
};

/// Goes to a file as the kernel would, name by name and through every symbolic link, and shows
/// each folder and link to `run`, which may throw. Each name is opened in the folder that was
/// looked at, so that nobody can put another in its place meanwhile, and nothing is opened in a
/// way that a device would notice. Throws Error (`failed`) where a name cannot be looked at.
Reached go(const std::filesystem::path& file, const std::function<void(const Passed&)>& visit,
           core::Status failed);

/// What go() reached, open for more than looking at it. -1 and errno where it cannot be.
netlink::Descriptor reopened(const Reached& end, int flags);

}  // namespace cli
