// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Opens a file for reading. Throws Error (invalid_input) where anybody but root and the caller
/// could have written it, or could put another in its place: it and its directory have to be theirs
/// and for nobody else to write, and on the way there a directory may be open to others only where
/// it is sticky; and it has to be a file, or a descriptor that the caller handed over (/dev/fd/3).
/// The caller of sudo is who ran sudo. What is looked at is what is opened.
netlink::Descriptor open_trusted(const std::filesystem::path& path);

/// The contents of a file, and which one it is.
struct Opened {
    std::string text{};
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
};
/// A file that the command line or a profile names; where it decides what root does
/// (`only_trusted`), as above. Throws Error (invalid_input).
Opened open_named(const std::filesystem::path& path, bool only_trusted);
/// The contents of the file of this name, opened as open_named opens it; of `-`, the contents of
/// the standard input. Throws Error (invalid_input).
std::string read_named(const std::string& name, bool only_trusted);

/// Whether files decide what happens to more than the caller's own: as root of the whole machine,
/// not of a user namespace.
bool is_root_of_machine();

}  // namespace cli
