// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// What the system says of a path, errno as of now: Error (failed).
core::Error failure(const std::filesystem::path& path);

/// open(2), close-on-exec, with the mode of a file that it makes. Throws Error (failed).
netlink::Descriptor open_file(const std::filesystem::path& path, int flags, unsigned mode = 0644);

/// Opens a file that the user named for reading; a pipe that nobody has open to write is not waited
/// for. Throws Error (invalid_input).
netlink::Descriptor open_to_read(const std::filesystem::path& path);

/// A file's contents. Throws Error (invalid_input) with one line for a directory, a file that
/// cannot be read, a pipe that nobody opens to write, and one larger than any profile or state is.
std::string read_file(const std::filesystem::path& path);
/// All that is left of an open file, which messages call `shown`. Throws Error (invalid_input).
std::string read_rest(int file, const std::string& shown);
/// What stands for the standard input where a file is named.
inline constexpr std::string_view kStandardInput = "-";
/// The contents of the file of this name, as by read_file; of `-`, the contents of the standard
/// input. Throws Error (invalid_input).
std::string read_input(const std::string& name);
/// What a file is called where it is reported: of `-` "standard input".
std::string input_name(const std::string& name);

/// Writes everything to an open file, which messages call `path`. Throws Error (failed).
void write_all(int file, const std::filesystem::path& path, const std::string& contents);

/// Writes everything to an open file as write_all does, and cuts off what the file held behind it.
/// Throws Error (failed).
void write_over(int file, const std::filesystem::path& path, const std::string& contents);

}  // namespace cli
