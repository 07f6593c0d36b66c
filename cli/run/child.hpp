// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace cli {

/// What a child process left to say.
struct Answer {
    pid_t child = 0;
    std::optional<std::string> text{};  ///< nothing: it hangs, and is left behind
};

/// Runs `work` in a child process, which dies with this one, and returns what it returned; what it
/// threw as core::Error is thrown here. Throws Error (failed) where the child ended without a word.
Answer in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit);

}  // namespace cli
