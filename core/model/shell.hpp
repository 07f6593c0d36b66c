// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace core {

/// Quotes a text for use as a word or part of a word in a shell command. Returned as it is where no
/// shell interprets it; otherwise in quotes, with control characters and non-ASCII bytes in $'…',
/// which bash, zsh, ksh and POSIX.1-2024 read alike. No shell executes any part of it.
std::string shell(std::string_view text);

/// Adds a reason to a command as a shell comment, and removes it again.
std::string with_reason(std::string line, std::string_view reason);
std::string without_reason(std::string line);

}  // namespace core
