// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace cli {

/// Closes inherited descriptors, except standard input, output and error and those named in an
/// argument (/dev/fd/63, as from a shell's <(…)): it is unknown what they lead to.
[[gnu::hot]] void close_inherited(std::span<const std::string> arguments);

}  // namespace cli
