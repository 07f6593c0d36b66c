// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/profile/profile.hpp"

namespace cli {

/// Whether it names a file; else it is looked up.
bool is_file_name(const std::string& name);

/// Finds profiles: a name with a `/` or ending in `.json` is a file, any other is looked up in
/// /etc/rocectl, beside the binary (../share/rocectl/profiles) and in /usr/share/rocectl/profiles.
class Library {
public:
    /// Of the host whose files are below `root`. With `only_trusted` a file that others than root
    /// could have written is refused.
    Library(const std::filesystem::path& root, bool only_trusted);

    /// The text of a profile as the command line names it, or as `extends` of the file `from`
    /// does. Throws Error (invalid_input).
    core::Source open(const std::string& name, const std::string& from = {});

    /// All bare names, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

    /// The files in /etc/rocectl that are profiles of this host, as far as their names say, sorted.
    [[nodiscard]] std::vector<std::string> own() const;

private:
    [[nodiscard]] std::filesystem::path find(const std::string& name) const;
    core::Source read(const std::string& shown, const std::filesystem::path& path, bool extended);

    bool only_trusted_;
    std::vector<std::filesystem::path> folders_;
    std::map<std::string, std::filesystem::path> opened_;  ///< by the name that was shown
    /// The name under which a file was shown first, by device and inode: one that folders lead to
    /// in many ways (a link to the folder that it is in) is one file.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> shown_;
};

}  // namespace cli
