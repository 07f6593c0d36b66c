// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Whether the path leads to this process's standard output, as /dev/stdout does. Throws Error
/// (failed) as OutputFile does.
bool is_standard_output(const std::filesystem::path& path);

/// The file that a sealed command writes, opened before the seal: the contents go to a new file
/// beside it, and a child from before the seal, which can do nothing else, gives it the name. A
/// device, a pipe and a descriptor of the caller (/dev/stdout) are written as they are. A link is
/// followed, and a device or pipe written, only where it is root's or the caller's: nobody else
/// says what is written, or gets it. A file that was there keeps its owner and mode where it is
/// theirs; of a new one the umask says who may read it.
class OutputFile {
public:
    /// Throws Error (failed) where `path` could not be replaced.
    explicit OutputFile(std::filesystem::path path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Leaves nothing behind where nothing was written.
    ~OutputFile();

    /// Replaces the file as a whole or not at all. Throws Error (failed).
    void write(const std::string& contents);

private:
    void start_child(const netlink::Descriptor& folder, const std::string& fresh,
                     const std::string& name);

    std::filesystem::path path_;
    netlink::Descriptor file_;
    netlink::Descriptor line_;  ///< to the child; a device that is written as it is has none
    pid_t child_ = -1;
};

}  // namespace cli
