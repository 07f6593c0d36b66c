// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "netlink/transport/error.hpp"

namespace netlink {

/// What a file system answered about a file; to who is not root, also that root may be needed.
KernelError file_error(int code, const std::filesystem::path& path);

/// One value that the kernel offers as a file, without its newline. Throws KernelError.
std::string read_text_file(const std::filesystem::path& path);
/// One value that the kernel offers as a file; nothing where there is no such file, or the device
/// that it was about has gone. Throws KernelError.
std::optional<std::string> read_if_there(const std::filesystem::path& path);
/// The number that the text begins with; 0 where it begins with none.
std::uint32_t number_in(std::string_view text);
/// Hands the kernel the value in one write, as its files ask for; of a long sysctl the rest in
/// further ones. Throws KernelError.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace netlink
