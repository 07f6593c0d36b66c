// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/profile/profile.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Whether the name is a path; otherwise the library looks it up.
bool is_file_name(const std::string& name);

/// Finds profiles. What a profile below a root extends is below it too. A name with a `/` or ending
/// in `.json` is a path; any other is looked up in /etc/rocectl, beside the binary
/// (../share/rocectl/profiles) and in /usr/share/rocectl/profiles.
class Library {
public:
    /// The library of the host rooted at `root`. With `only_trusted`, files that users other than
    /// root could have written are refused.
    Library(const netlink::Root& root, bool only_trusted);

    /// Reads a profile named on the command line, or in `extends` of the file `from`. Throws Error
    /// (invalid_input).
    core::Source open(const std::string& name, const std::string& from = {});

    /// All bare names, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

    /// The files in /etc/rocectl that are profiles of this host, judged by name, sorted.
    [[nodiscard]] std::vector<std::string> own() const;

private:
    [[nodiscard]] netlink::HostPath find(const std::string& name) const;
    core::Source read(const std::string& shown, const netlink::HostPath& path, bool extended);

    bool only_trusted_;
    std::vector<netlink::HostPath> folders_;
    std::map<std::string, netlink::HostPath> opened_;  ///< by the name it is shown under
    /// The name a file was first shown under, by device and inode: a file reached by several paths
    /// (a link to its own folder) counts once.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> shown_;
};

}  // namespace cli
