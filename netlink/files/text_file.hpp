// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "netlink/transport/error.hpp"

namespace netlink {

/// What a file system answered about a file; to who is not root, also that root may be needed.
KernelError file_error(int code, const std::filesystem::path& path);

/// One value that the kernel offers as a file, without its newline. Throws KernelError.
std::string read_text_file(const std::filesystem::path& path);
/// Hands the kernel the value in one write, as its files ask for. Throws KernelError.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace netlink
