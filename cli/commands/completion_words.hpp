// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace cli {

/// What a shell completes to, as the tables of commands, options, settings and findings have it.
namespace completion_words {

using Words = std::vector<std::string>;

/// What the shell lists itself when it completes, since it is not the same on every host.
enum class Listed : std::uint8_t { nothing, files, profiles, ports, devices };

/// What an operand or a value is, by its word in --help: `PORT`, `[PROFILE]...`, `FILE`.
Listed listed(std::string_view shown);

std::string join(const Words& words);

/// All options of a command, those that every command has among them.
std::vector<const OptionRow*> options_of(const Command& command);

/// What stands where the first word does: commands, and the groups of commands, once each.
Words first_words();

/// The second words of a group: `check` and `schema` of `profile`; none where it is no group.
Words members_of(std::string_view group);

/// The names of the groups.
Words groups();

/// The options of a command, as they are typed.
Words option_words(const Command& command);

/// What a command's operand can be, apart from what is listed.
Words operand_words(const Command& command);

/// What the option's value can be, as far as it is known.
Words value_words(const OptionRow& row);

}  // namespace completion_words

/// The script for fish.
std::string fish_completion();

}  // namespace cli
