// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Opens a file for reading. Throws Error (invalid_input) where anybody but root and the caller
/// could have written or replaced it. The file and its directory must belong to one of those two
/// and be writable by nobody else; directories further up may be writable by others only if sticky.
/// It must be a regular file, or a descriptor handed over by the caller (/dev/fd/3). Under sudo,
/// the caller is the user who ran sudo. The file that was checked is the one opened.
netlink::Descriptor open_trusted(const netlink::HostPath& path);

/// A file's contents and identity.
struct Opened {
    std::string text{};
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
};
/// Opens a file named by the command line or a profile; with `only_trusted`, because it decides
/// what root does, as open_trusted does. Throws Error (invalid_input).
Opened open_named(const netlink::HostPath& path, bool only_trusted);
/// The contents of a file opened by open_named; for `-`, of standard input. Throws Error
/// (invalid_input).
std::string read_named(const std::string& name, bool only_trusted);

/// Whether this process is root of the machine, not of a user namespace: then the files it reads
/// decide about more than the caller's own.
bool is_root_of_machine();

}  // namespace cli
