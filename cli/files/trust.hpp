// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace cli {

/// Throws Error (invalid_input) where anybody but root and the caller could have written the file,
/// or could put another in its place: it and its directory have to be theirs and for nobody else
/// to write, and on the way there a directory may be open to others only where it is sticky. The
/// caller of sudo is who ran sudo.
void check_trusted(const std::filesystem::path& path);

/// Whether files decide what happens to more than the caller's own: as root of the whole machine,
/// not of a user namespace.
bool is_root_of_machine();

}  // namespace cli
