// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cli {

/// The pages of all commands, in the order of commands().
std::vector<std::string> manual_pages();

/// The list of commands in rocectl(8), in man(7) macros.
std::string manual_commands();

/// NAME and SYNOPSIS of a page; only SYNOPSIS where several commands share the page.
std::string manual_head(const std::string& page);

/// OPTIONS of a page; on the page `rocectl`, the options of every command and those that several
/// pages share. Generated from the option rows, followed by the handwritten text for each option:
/// from `before`, the page's previous text, and on pages of commands from `shared`, the text of
/// rocectl(8). Throws Error where handwritten text belongs to no option.
std::string manual_options(const std::string& page, const std::string& before,
                           const std::string& shared);

}  // namespace cli
