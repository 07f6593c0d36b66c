// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace core {

/// The text as one word, or a part of one, of a line for a shell: as it is where no shell sees more
/// in it, else in quotes, with control characters and bytes that are not ASCII as bash, zsh, ksh
/// and POSIX.1-2024 read them in $'…'. Whatever stands in it, a shell runs nothing of it.
std::string shell(std::string_view text);

/// The line with why it is there behind it, which a shell reads as a comment; and without.
std::string with_reason(std::string line, std::string_view reason);
std::string without_reason(std::string line);

}  // namespace core
