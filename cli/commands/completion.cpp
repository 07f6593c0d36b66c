// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/command.hpp"
#include "core/checks/catalogue.hpp"
#include "core/model/driver.hpp"
#include "core/model/field.hpp"
#include "core/profile/intent.hpp"
#include "core/profile/profile_keys.hpp"

namespace cli {
namespace {

using Words = std::vector<std::string>;

std::string join(const Words& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

/// All options of a command, as they are typed.
std::vector<const OptionRow*> options_of(const Command& command) {
    std::vector<const OptionRow*> rows(command.options.begin(), command.options.end());
    for (const OptionRow& row : common_options())
        rows.push_back(&row);
    return rows;
}

/// What stands where the first word does: commands, and the groups of commands, once each.
Words first_words() {
    Words words;
    for (const Command& command : commands()) {
        const std::string word(command.name.substr(0, command.name.find(' ')));
        if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
    return words;
}

/// What a command's operand can be, apart from a file or a profile's name.
Words operand_words(const Command& command) {
    if (command.operands == "bash|zsh|fish") return {"bash", "zsh", "fish"};
    if (command.run == print_help) {
        Words words = first_words();
        for (const Command& other : commands())
            if (const std::size_t blank = other.name.find(' '); blank != std::string_view::npos)
                words.emplace_back(other.name.substr(blank + 1));
        return words;
    }
    if (!command.operands.starts_with("SETTING")) return {};
    Words words{"roce"};
    for (const core::Field& field : core::fields())
        words.emplace_back(field.key);
    for (const core::IntentKey& key : core::intent_keys())
        words.push_back("roce." + std::string(key.name));
    for (const core::ProfileKey& key : core::profile_keys())
        if (key.name != "roce") words.push_back(key.name);
    for (const core::FindingRow* row : core::catalogue())
        words.emplace_back(row->id);
    for (const core::Driver* const driver : core::drivers())
        words.emplace_back(driver->name);
    return words;
}

/// The second words of a group: `check` and `schema` of `profile`.
Words members_of(std::string_view group) {
    Words words;
    for (const Command& command : commands())
        if (command.name.starts_with(std::string(group) + ' '))
            words.emplace_back(command.name.substr(group.size() + 1));
    return words;
}

Words option_words(const Command& command) {
    Words words{"--help"};
    for (const OptionRow* row : options_of(command))
        words.emplace_back(row->name);
    return words;
}

bool takes_profile(const Command& command) {
    return command.operands.starts_with("PROFILE");
}

// bash and zsh list the profiles when they complete, since a site adds its own.
constexpr std::string_view kProfiles =
    "_rocectl_profiles() {\n"
    "    local folder file\n"
    "    for folder in /etc/rocectl /usr/local/share/rocectl/profiles "
    "/usr/share/rocectl/profiles; do\n"
    "        [ -d \"$folder\" ] || continue\n"
    "        for file in $(ls \"$folder\"); do\n"
    "            case $file in vars.json) ;; *.json) echo \"${file%.json}\" ;; esac\n"
    "        done\n"
    "    done\n"
    "}\n";

/// The arms of `case "$command" in`: what each command completes to, as bash and zsh both read it.
std::string arms() {
    std::string out;
    for (const Command& command : commands()) {
        Words words = option_words(command);
        for (std::string& word : operand_words(command))
            words.push_back(std::move(word));
        out += "        '" + std::string(command.name) + "') words='" + join(words) + "'";
        if (takes_profile(command)) out += "; words=\"$words $(_rocectl_profiles)\"; files=1";
        out += " ;;\n";
    }
    for (const std::string& first : first_words())
        if (const Words members = members_of(first); !members.empty())
            out += "        '" + first + "') words='" + join(members) + "' ;;\n";
    return out + "        '') words='" + join(first_words()) + " --help --version' ;;\n";
}

/// What can be the option's value, as far as it is known.
std::string words_of(const OptionRow& row) {
    return join(row.more_words == nullptr ? Words{row.words.begin(), row.words.end()}
                                          : row.more_words());
}

/// The arms of `case "$command $prev" in` for options with a value.
std::string value_arms() {
    std::string out;
    for (const Command& command : commands()) {
        for (const OptionRow* row : options_of(command)) {
            if (row->value.empty()) continue;
            const std::string start = "'" + std::string(command.name) + " ";
            out += "        " + start + std::string(row->name) + "'";
            if (!row->letter.empty()) out += " | " + start + std::string(row->letter) + "'";
            const std::string words = words_of(*row);
            out += words.empty() ? ") words=''; files=1 ;;\n" : ") words='" + words + "' ;;\n";
        }
    }
    return out;
}

std::string bash_script() {
    return std::string(kProfiles) +
           "_rocectl() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command= words= files=\n"
           "    if [ \"$COMP_CWORD\" -gt 1 ]; then command=${COMP_WORDS[1]}; fi\n"
           "    if [ \"$command\" = profile ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
           "        command=\"profile ${COMP_WORDS[2]}\"\n"
           "    fi\n"
           "    case \"$command\" in\n" +
           arms() + "    esac\n    case \"$command $prev\" in\n" + value_arms() +
           "    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "    if [ -n \"$files\" ]; then COMPREPLY+=($(compgen -f -- \"$cur\")); fi\n"
           "}\n"
           "complete -o filenames -F _rocectl rocectl\n";
}

std::string zsh_script() {
    return "#compdef rocectl\n" + std::string(kProfiles) +
           "_rocectl() {\n"
           "    local prev=${words[CURRENT-1]} command= files=\n"
           "    local -a typed=(\"${words[@]}\")\n"
           "    if (( CURRENT > 2 )); then command=${typed[2]}; fi\n"
           "    if [[ $command == profile ]] && (( CURRENT > 3 )); then\n"
           "        command=\"profile ${typed[3]}\"\n"
           "    fi\n"
           "    local words=\n"
           "    case \"$command\" in\n" +
           arms() + "    esac\n    case \"$command $prev\" in\n" + value_arms() +
           "    esac\n"
           "    compadd -- ${=words}\n"
           "    if [[ -n $files ]]; then _files; fi\n"
           "}\n"
           "if [[ $funcstack[1] == _rocectl ]]; then _rocectl \"$@\"; else compdef _rocectl "
           "rocectl; "
           "fi\n";
}

/// fish: the words typed so far start with this command's.
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

std::string fish_option(const Command& command, const OptionRow& row) {
    std::string out = "complete -c rocectl" + fish_condition(command);
    out += " -l " + std::string(row.name.substr(2));
    if (!row.letter.empty()) out += " -s " + std::string(row.letter.substr(1));
    if (const std::string words = words_of(row); !words.empty())
        out += " -x -a " + fish_quoted(words);
    else if (!row.value.empty())
        out += " -r -F";
    return out + " -d " + fish_quoted(row.help) + "\n";
}

std::string fish_script() {
    std::string out = "complete -c rocectl -f\n";
    for (const std::string& first : first_words())
        out += "complete -c rocectl -n __fish_use_subcommand -a " + first + "\n";
    for (const std::string& first : first_words())
        if (const Words members = members_of(first); !members.empty())
            out += "complete -c rocectl -n '__fish_seen_subcommand_from " + first +
                   "; and not __fish_seen_subcommand_from " + join(members) + "' -a " +
                   fish_quoted(join(members)) + "\n";
    for (const Command& command : commands()) {
        for (const OptionRow* row : options_of(command))
            out += fish_option(command, *row);
        const std::string start = "complete -c rocectl" + fish_condition(command);
        if (takes_profile(command))
            out += start +
                   " -F -a '(path basename -E /etc/rocectl/*.json "
                   "/usr/share/rocectl/profiles/*.json 2>/dev/null)'\n";
        if (const Words words = operand_words(command); !words.empty())
            out += start + " -a " + fish_quoted(join(words)) + "\n";
    }
    return out;
}

}  // namespace

core::Status completion(Session& session) {
    const std::string& shell = session.options.operands.front();
    if (shell == "bash")
        session.out << bash_script();
    else if (shell == "zsh")
        session.out << zsh_script();
    else if (shell == "fish")
        session.out << fish_script();
    else
        throw core::Error(core::Status::usage,
                          "completion: found '" + shell + "', expected bash, zsh or fish");
    return core::Status::done;
}

}  // namespace cli
