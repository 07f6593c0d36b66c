// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "core/error.hpp"

namespace cli {

/// Goes on in a child, where it returns nothing; in this process it passes on what the child writes
/// to std::cout and std::cerr, and returns its status. A kernel interface that hangs cannot be left
/// in any other way. Throws Error (failed) where the child has not ended after `limit`, and leaves
/// it behind, killed as soon as the kernel lets go of it; nothing that waits for the end of this
/// process's output waits for it. Ends by the signal that the child ends by.
std::optional<core::Status> go_on_in_child(std::chrono::milliseconds limit);

}  // namespace cli
