// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cli {

/// Lets this process open no file for writing any more, and make, move or remove none, but for
/// devices below /dev/infiniband, which verbs reads through. The version of Landlock's interface
/// that did it; 0 where the kernel has none or refuses. Needs no_new_privs.
int close_files_by_landlock();

/// Whether the kernel has it.
[[nodiscard]] bool has_landlock();

}  // namespace cli
