// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace cli {

/// The words of shell completion, from the tables of commands, options, settings and findings.
namespace completion_words {

using Words = std::vector<std::string>;

/// Words that the completion script lists at run time, since they differ between hosts.
enum class Listed : std::uint8_t { nothing, files, profiles, ports, devices };

/// How to list an operand or value, by its placeholder in --help: `PORT`, `[PROFILE]...`, `FILE`.
Listed listed(std::string_view shown);

std::string join(const Words& words);

/// All options of a command, including the common ones.
std::vector<const OptionRow*> options_of(const Command& command);

/// The candidates for the first word: commands and groups of commands, once each.
Words first_words();

/// The second words of a group: `check` and `schema` of `profile`. Empty for a command that is no
/// group.
Words members_of(std::string_view group);

/// The names of the groups.
Words groups();

/// The options of a command, as they are typed.
Words option_words(const Command& command);

/// The fixed candidates for a command's operand, without those that are listed at run time.
Words operand_words(const Command& command);

/// The known candidates for an option's value.
Words value_words(const OptionRow& row);

}  // namespace completion_words

/// The script for fish.
std::string fish_completion();

}  // namespace cli
