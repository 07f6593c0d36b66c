// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace cli {

/// Makes the folder and those above it. Throws Error (failed).
void make_folder(const std::filesystem::path& folder);

/// Makes a file that is there as a whole, with `reserve` bytes of disk for what will be appended,
/// or not at all, also where power is lost: temporary file, fsync, rename, fsync of the folder.
/// Throws Error (failed) where there is such a file, or it cannot be made.
void create_durably(const std::filesystem::path& path, const std::string& text,
                    std::size_t reserve);

/// Appends a line that is on disk when this returns. It is written over a last line that is not
/// whole. Throws Error (failed).
void append_durably(const std::filesystem::path& path, const std::string& line);

/// Gives back what create_durably reserved of the disk and nothing was appended into. Where that
/// cannot be done it stays reserved.
void release_reserve(const std::filesystem::path& path);

/// Renames within a folder, on disk when this returns. Throws Error (failed).
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace cli
