// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/completion_words.hpp"

namespace cli {
namespace {

using completion_words::Listed;
using completion_words::Words;

// A loop takes a pattern that matches nothing; a command is not run with one.
constexpr std::string_view kFishListers =
    "function __rocectl_profiles\n"
    "    for file in /etc/rocectl/*.json /usr/local/share/rocectl/profiles/*.json "
    "/usr/share/rocectl/profiles/*.json\n"
    "        set -l name (string replace -r '^.*/(.*)\\.json$' '$1' $file)\n"
    "        test $name = vars; or echo $name\n"
    "    end\n"
    "end\n"
    "function __rocectl_ports\n"
    "    for port in /sys/class/net/*\n"
    "        string replace /sys/class/net/ '' $port\n"
    "    end\n"
    "end\n"
    "function __rocectl_devices\n"
    "    for device in /sys/class/infiniband/*\n"
    "        string replace /sys/class/infiniband/ '' $device\n"
    "    end\n"
    "end\n";

/// The words typed so far start with this command's.
std::string fish_condition(const Command& command) {
    const std::size_t blank = command.name.find(' ');
    std::string out = "__fish_seen_subcommand_from " + std::string(command.name.substr(0, blank));
    if (blank != std::string_view::npos)
        out += "; and __fish_seen_subcommand_from " + std::string(command.name.substr(blank + 1));
    return " -n '" + out + "'";
}

std::string fish_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("\\'") : std::string(1, c);
    return out + "'";
}

/// What an operand or a value can be: with -F, files too.
std::string fish_candidates(const Words& words, Listed listed) {
    std::string all = completion_words::join(words);
    if (listed == Listed::profiles) all += " (__rocectl_profiles)";
    if (listed == Listed::ports) all += " (__rocectl_ports)";
    if (listed == Listed::devices) all += " (__rocectl_devices)";
    const bool files = listed == Listed::files || listed == Listed::profiles;
    std::string out = files ? " -F" : "";
    if (!all.empty()) out.append(" -a ").append(fish_quoted(all));
    return out;
}

std::string fish_option(const Command& command, const OptionRow& row) {
    std::string out = "complete -c rocectl" + fish_condition(command);
    out += " -l " + std::string(row.name.substr(2));
    if (!row.letter.empty()) out += " -s " + std::string(row.letter.substr(1));
    if (!row.value.empty()) {
        const std::string values = fish_candidates(completion_words::value_words(row),
                                                   completion_words::listed(row.value));
        out += (values.starts_with(" -F") ? " -r" : " -x") + values;
    }
    return out + " -d " + fish_quoted(row.help) + "\n";
}

}  // namespace

std::string fish_completion() {
    std::string out = std::string(kFishListers) + "complete -c rocectl -f\n";
    for (const std::string& first : completion_words::first_words())
        out += "complete -c rocectl -n __fish_use_subcommand -a " + first + "\n";
    for (const std::string& group : completion_words::groups()) {
        const std::string members = completion_words::join(completion_words::members_of(group));
        out.append("complete -c rocectl -n '__fish_seen_subcommand_from ").append(group);
        out.append("; and not __fish_seen_subcommand_from ").append(members).append("' -a ");
        out.append(fish_quoted(members)) += '\n';
    }
    for (const Command& command : commands()) {
        for (const OptionRow* row : completion_words::options_of(command))
            out += fish_option(command, *row);
        const std::string operands = fish_candidates(completion_words::operand_words(command),
                                                     completion_words::listed(command.operands));
        if (!operands.empty())
            out.append("complete -c rocectl").append(fish_condition(command)).append(operands) +=
                '\n';
    }
    return out;
}

}  // namespace cli
