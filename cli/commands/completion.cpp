// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/model/quote.hpp"

namespace cli {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> shells() {
    return {"bash", "zsh", "fish"};
}

/// Words that the script lists when it completes, since they differ between hosts.
enum class Listed : std::uint8_t { nothing, files, profiles, ports, devices };

/// How to list an operand or value, by its placeholder in --help: `PORT`, `[PROFILE]...`, `FILE`.
Listed listed(std::string_view shown) {
    if (shown.starts_with('[')) shown.remove_prefix(1);
    const std::string_view word =
        shown.substr(0, shown.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    const std::string_view rest = shown.substr(word.size());
    if (!rest.empty() && rest != "..." && rest != "]" && rest != "]...") return Listed::nothing;
    if (word == "PROFILE") return Listed::profiles;
    if (word == "PORT") return Listed::ports;
    if (word == "DEVICE") return Listed::devices;
    return word == "FILE" || word == "DIR" ? Listed::files : Listed::nothing;
}

std::string join(const Words& words) {
    std::string out;
    for (const std::string& word : words)
        out.append(out.empty() ? "" : " ").append(word);
    return out;
}

/// All options of a command, including the common ones.
std::vector<const OptionRow*> options_of(const Command& command) {
    std::vector<const OptionRow*> rows(command.options.begin(), command.options.end());
    for (const OptionRow& row : common_options())
        rows.push_back(&row);
    return rows;
}

/// The candidates for the first word: commands and groups of commands, once each.
Words first_words() {
    Words words;
    for (const Command* const command : commands()) {
        const std::string word(command->name.substr(0, command->name.find(' ')));
        if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
    return words;
}

/// The second words of a group: `check` and `schema` of `profile`. Empty for a command that is no
/// group.
Words members_of(std::string_view group) {
    Words words;
    for (const Command* const command : commands())
        if (command->name.starts_with(std::string(group) + ' '))
            words.emplace_back(command->name.substr(group.size() + 1));
    return words;
}

/// The names of the groups.
Words groups() {
    Words words = first_words();
    std::erase_if(words, [](const std::string& word) { return members_of(word).empty(); });
    return words;
}

/// The options of a command, as they are typed.
Words option_words(const Command& command) {
    Words words{"--help"};
    for (const OptionRow* row : options_of(command))
        words.emplace_back(row->name);
    return words;
}

/// The fixed candidates for a command's operand, without those that are listed at run time.
Words operand_words(const Command& command) {
    return command.operand_words == nullptr ? Words() : command.operand_words();
}

/// The known candidates for an option's value.
Words value_words(const OptionRow& row) {
    return row.more_words == nullptr ? Words{row.words.begin(), row.words.end()} : row.more_words();
}

// What bash and zsh list when they complete: a site adds profiles of its own, and ports come and
// go.
constexpr std::string_view kListers =
    "_rocectl_profiles() {\n"
    "    local folder file\n"
    "    for folder in /etc/rocectl /usr/local/share/rocectl/profiles "
    "/usr/share/rocectl/profiles; do\n"
    "        [ -d \"$folder\" ] || continue\n"
    "        for file in $(command ls \"$folder\"); do\n"
    "            case $file in vars.json | accepted.json) ;; *.json) echo \"${file%.json}\" ;; "
    "esac\n"
    "        done\n"
    "    done\n"
    "}\n"
    "_rocectl_ports() { command ls /sys/class/net 2>/dev/null; }\n"
    "_rocectl_devices() { command ls /sys/class/infiniband 2>/dev/null; }\n";

/// What is done in an arm beside setting words.
std::string_view lister(Listed listed) {
    switch (listed) {
        case Listed::files: return "; files=1";
        case Listed::profiles: return "; words=\"$words $(_rocectl_profiles)\"; files=1";
        case Listed::ports: return "; words=\"$words $(_rocectl_ports)\"";
        case Listed::devices: return "; words=\"$words $(_rocectl_devices)\"";
        case Listed::nothing: break;
    }
    return "";
}

std::string arm(const std::string& pattern, const Words& words, Listed listed = Listed::nothing) {
    std::string out = "        " + pattern + ") words='";
    out.append(join(words)).append("' files=").append(lister(listed));
    return out.append(" ;;\n");
}

std::string in_quotes(std::string_view text) {
    return std::string("'").append(text).append("'");
}

/// The arms of `case "$command" in`: what each command completes to, as bash and zsh both read it.
std::string arms() {
    std::string out;
    for (const Command* const command : commands()) {
        Words words = option_words(*command);
        for (std::string& word : operand_words(*command))
            words.push_back(std::move(word));
        out += arm(in_quotes(command->name), words, listed(command->operands));
    }
    for (const std::string& group : groups())
        out += arm(in_quotes(group), members_of(group));
    Words first = first_words();
    first.insert(first.end(), {"--help", "--version"});
    return out + arm("''", first);
}

/// The arms of `case "$command $prev" in` for options with a value.
std::string value_arms() {
    std::string out;
    for (const Command* const command : commands()) {
        for (const OptionRow* row : options_of(*command)) {
            if (row->value.empty()) continue;
            const std::string start = std::string(command->name) + ' ';
            std::string pattern = in_quotes(start + std::string(row->name));
            if (!row->letter.empty())
                pattern.append(" | ").append(in_quotes(start + std::string(row->letter)));
            out += arm(pattern, value_words(*row), listed(row->value));
        }
    }
    return out;
}

/// `profile|probe`: what takes a second word.
std::string group_pattern() {
    std::string out;
    for (const std::string& group : groups())
        out.append(out.empty() ? "" : "|").append(group);
    return out;
}

std::string bash_script() {
    return std::string(kListers) +
           "_rocectl() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command= words= files= before=\n"
           "    if [ \"$COMP_CWORD\" -gt 1 ]; then command=${COMP_WORDS[1]}; fi\n"
           "    case $command in\n        " +
           group_pattern() +
           ") if [ \"$COMP_CWORD\" -gt 2 ]; then command=\"$command ${COMP_WORDS[2]}\"; fi ;;\n"
           "    esac\n"
           // bash takes --option=value for three words.
           "    if [ \"$cur\" = = ]; then cur=; "
           "elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
           "    case \"$command\" in\n" +
           arms() + "    esac\n    case \"$command $prev\" in\n" + value_arms() +
           "    esac\n"
           // The last of several, with commas between them.
           "    case $cur in *,*) before=${cur%,*},; cur=${cur##*,} ;; esac\n"
           "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$cur\")\n"
           "    if [ -n \"$files\" ]; then\n"
           "        compopt -o filenames 2>/dev/null\n"
           "        local file\n"
           "        while read -r file; do COMPREPLY+=(\"$file\"); done "
           "< <(compgen -f -- \"$before$cur\")\n"
           "    fi\n"
           "}\n"
           "complete -F _rocectl rocectl\n";
}

std::string zsh_script() {
    return "#compdef rocectl\n" + std::string(kListers) +
           "_rocectl() {\n"
           "    local prev=${words[CURRENT-1]} command= files=\n"
           "    local -a typed=(\"${words[@]}\")\n"
           "    if (( CURRENT > 2 )); then command=${typed[2]}; fi\n"
           "    case $command in\n        " +
           group_pattern() +
           ") if (( CURRENT > 3 )); then command=\"$command ${typed[3]}\"; fi ;;\n"
           "    esac\n"
           "    if [[ ${typed[CURRENT]} == --*=* ]]; then\n"
           "        prev=${typed[CURRENT]%%=*}\n"
           "        compset -P '*='\n"
           "    fi\n"
           "    local words=\n"
           "    case \"$command\" in\n" +
           arms() + "    esac\n    case \"$command $prev\" in\n" + value_arms() +
           "    esac\n"
           "    compset -P '*,'\n"
           "    compadd -- ${=words}\n"
           "    if [[ -n $files ]]; then _files; fi\n"
           "}\n"
           "if [[ $funcstack[1] == _rocectl ]]; then _rocectl \"$@\"; else compdef _rocectl "
           "rocectl; "
           "fi\n";
}

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
    std::string all = join(words);
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
        const std::string values = fish_candidates(value_words(row), listed(row.value));
        out += (values.starts_with(" -F") ? " -r" : " -x") + values;
    }
    return out + " -d " + fish_quoted(row.help) + "\n";
}

std::string fish_script() {
    std::string out = std::string(kFishListers) + "complete -c rocectl -f\n";
    for (const std::string& first : first_words())
        out += "complete -c rocectl -n __fish_use_subcommand -a " + first + "\n";
    for (const std::string& group : groups()) {
        const std::string members = join(members_of(group));
        out.append("complete -c rocectl -n '__fish_seen_subcommand_from ").append(group);
        out.append("; and not __fish_seen_subcommand_from ").append(members).append("' -a ");
        out.append(fish_quoted(members)) += '\n';
    }
    for (const Command* const command : commands()) {
        for (const OptionRow* row : options_of(*command))
            out += fish_option(*command, *row);
        const std::string operands =
            fish_candidates(operand_words(*command), listed(command->operands));
        if (!operands.empty())
            out.append("complete -c rocectl").append(fish_condition(*command)).append(operands) +=
                '\n';
    }
    return out;
}

}  // namespace

constinit const Command command::completion{.name = "completion",
                                            .operands = "bash|zsh|fish",
                                            .operand_required = true,
                                            .operands_max = 1,
                                            .help = "Print the completion script of a shell",
                                            .operand_words = shells,
                                            .run = cli::completion};

core::Status completion(Session& session) {
    const std::string& shell = session.options.operands.front();
    if (shell == "bash")
        session.out << bash_script();
    else if (shell == "zsh")
        session.out << zsh_script();
    else if (shell == "fish")
        session.out << fish_script();
    else
        throw core::Error(core::Status::usage, "completion: found " + core::in_quotes(shell) +
                                                   ", expected bash, zsh or fish");
    return core::Status::done;
}

}  // namespace cli
