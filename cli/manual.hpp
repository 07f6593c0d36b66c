// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The page of a command in section 8, by the first of its words: `rocectl-plan`; of `profile
/// check` `rocectl-profile`.
std::string manual_page(std::string_view command);

/// The pages of all commands, in their order.
std::vector<std::string> manual_pages();

/// The list of commands of rocectl(8), in man(7) macros.
std::string manual_commands();

/// NAME and SYNOPSIS of a page; SYNOPSIS alone where several commands share it.
std::string manual_head(const std::string& page);

/// OPTIONS of a page, of `rocectl` those of every command and of more pages than one: what the rows
/// say of each, and behind that what `before`, the text as it was, and for the pages of commands
/// `shared`, that of rocectl(8), have by hand. Throws Error where something by hand is of no
/// option.
std::string manual_options(const std::string& page, const std::string& before,
                           const std::string& shared);

}  // namespace cli
