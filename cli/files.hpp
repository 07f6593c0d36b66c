// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace cli {

/// A file's contents. Throws Error (invalid_input) with one line for a directory, a file that
/// cannot be read and one larger than any profile or state is.
std::string read_file(const std::filesystem::path& path);

/// Throws Error (failed) before anything is written where `path` could not be replaced.
void check_writable(const std::filesystem::path& path);

/// Devices, pipes and what a link points at (/dev/stdout) are written, never replaced.
bool replaceable(const std::filesystem::path& path);

/// Writes everything to an open file, which messages call `path`. Throws Error (failed).
void write_all(int file, const std::filesystem::path& path, const std::string& contents);

/// Replaces the file as a whole or not at all. Throws Error (failed).
void write_file(const std::filesystem::path& path, const std::string& contents);

}  // namespace cli
