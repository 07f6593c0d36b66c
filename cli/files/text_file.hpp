// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// An Error (failed) with the path and the text of errno.
core::Error failure(const netlink::HostPath& path);

/// open(2) with close-on-exec; `mode` is for a file it creates. Throws Error (failed).
netlink::Descriptor open_file(const netlink::HostPath& path, int flags, unsigned mode = 0644);

/// Opens a file named by the user for reading, without waiting for a pipe's writer. Throws Error
/// (invalid_input).
netlink::Descriptor open_to_read(const netlink::HostPath& path);

/// The contents of a file. Throws Error (invalid_input) with one line for a directory, an
/// unreadable file, a pipe without a writer, and a file larger than any profile or state.
std::string read_file(const netlink::HostPath& path);
/// The rest of an open file, called `shown` in messages. Throws Error (invalid_input).
std::string read_rest(int file, const std::string& shown);
/// The file name for standard input.
inline constexpr std::string_view kStandardInput = "-";
/// The contents of a file as read_file reads it; for `-`, of standard input. Throws Error
/// (invalid_input).
std::string read_input(const std::string& name);
/// The file's name in messages: "standard input" for `-`.
std::string input_name(const std::string& name);

/// Writes all contents to an open file, called `path` in messages. Throws Error (failed).
void write_all(int file, const netlink::HostPath& path, const std::string& contents);

/// As write_all, and truncates what the file held beyond it. Throws Error (failed).
void write_over(int file, const netlink::HostPath& path, const std::string& contents);

}  // namespace cli
