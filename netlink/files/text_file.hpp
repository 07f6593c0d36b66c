// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "netlink/transport/error.hpp"
#include "netlink/transport/host_path.hpp"

namespace netlink {

/// What a file system answered about a file; to who is not root, also that root may be needed.
KernelError file_error(int code, const HostPath& path);

/// A value from a kernel file, without its newline. Throws KernelError.
std::string read_text_file(const HostPath& path);
/// As read_text_file; nothing where the file does not exist, or its device has gone.
std::optional<std::string> read_if_there(const HostPath& path);
/// The number at the start of the text; 0 without one.
std::uint32_t number_in(std::string_view text);
/// Writes the value in one write, as kernel files require; the rest of a long sysctl in further
/// ones. Throws KernelError.
void write_text_file(const HostPath& path, const std::string& text);

}  // namespace netlink
