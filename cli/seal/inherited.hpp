// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace cli {

/// Closes what the caller left open but for standard input, output and error and what an argument
/// names (/dev/fd/63, as a shell's <(…) does): nobody here knows what it leads to.
[[gnu::hot]] void close_inherited(std::span<const std::string> arguments);

}  // namespace cli
