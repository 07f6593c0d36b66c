// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "cli/files/path_walk.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Whether the path is this process's standard output, such as /dev/stdout. Throws Error (failed)
/// as OutputFile does.
bool is_standard_output(const std::filesystem::path& path);

/// A file that a sealed command writes, opened before the seal. The contents go to a new file
/// beside it; a child started before the seal, which can do nothing else, renames that into place.
/// Devices, pipes and the caller's descriptors (/dev/stdout) are written in place. Links are
/// followed, and devices and pipes written, only where they belong to root or the caller, so that
/// nobody else chooses what is written or receives it. A replaced file's owner and mode are kept
/// where it belonged to one of those two; a new file's mode follows the umask.
class OutputFile {
public:
    /// Opens the new file and starts the child. Throws Error (failed) where `path` cannot be
    /// replaced.
    explicit OutputFile(std::filesystem::path path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Removes the new file where nothing was written.
    ~OutputFile();

    /// Replaces the file atomically. Throws Error (failed).
    void write(const std::string& contents);

private:
    /// Opens a new file in the folder, and tells its name.
    std::string create_beside(const Reached& end);
    void start_child(const netlink::Descriptor& folder, const std::string& fresh,
                     const std::string& name);

    std::filesystem::path path_;
    netlink::Descriptor file_;
    netlink::Descriptor line_;  ///< to the child; none where the file is written in place
    pid_t child_ = -1;
};

}  // namespace cli
