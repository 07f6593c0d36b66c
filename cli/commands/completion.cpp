// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/commands/completion_words.hpp"
#include "core/error.hpp"
#include "core/model/quote.hpp"

namespace cli {
namespace {

using completion_words::Listed;
using completion_words::Words;

// What bash and zsh list when they complete: a site adds profiles of its own, and ports come and
// go.
constexpr std::string_view kListers =
    "_rocectl_profiles() {\n"
    "    local folder file\n"
    "    for folder in /etc/rocectl /usr/local/share/rocectl/profiles "
    "/usr/share/rocectl/profiles; do\n"
    "        [ -d \"$folder\" ] || continue\n"
    "        for file in $(command ls \"$folder\"); do\n"
    "            case $file in vars.json) ;; *.json) echo \"${file%.json}\" ;; esac\n"
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
    out.append(completion_words::join(words)).append("' files=").append(lister(listed));
    return out.append(" ;;\n");
}

std::string in_quotes(std::string_view text) {
    return std::string("'").append(text).append("'");
}

/// The arms of `case "$command" in`: what each command completes to, as bash and zsh both read it.
std::string arms() {
    std::string out;
    for (const Command& command : commands()) {
        Words words = completion_words::option_words(command);
        for (std::string& word : completion_words::operand_words(command))
            words.push_back(std::move(word));
        out += arm(in_quotes(command.name), words, completion_words::listed(command.operands));
    }
    for (const std::string& group : completion_words::groups())
        out += arm(in_quotes(group), completion_words::members_of(group));
    Words first = completion_words::first_words();
    first.insert(first.end(), {"--help", "--version"});
    return out + arm("''", first);
}

/// The arms of `case "$command $prev" in` for options with a value.
std::string value_arms() {
    std::string out;
    for (const Command& command : commands()) {
        for (const OptionRow* row : completion_words::options_of(command)) {
            if (row->value.empty()) continue;
            const std::string start = std::string(command.name) + ' ';
            std::string pattern = in_quotes(start + std::string(row->name));
            if (!row->letter.empty())
                pattern.append(" | ").append(in_quotes(start + std::string(row->letter)));
            out += arm(pattern, completion_words::value_words(*row),
                       completion_words::listed(row->value));
        }
    }
    return out;
}

/// `profile|probe`: what takes a second word.
std::string group_pattern() {
    std::string out;
    for (const std::string& group : completion_words::groups())
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

}  // namespace

core::Status completion(Session& session) {
    const std::string& shell = session.options.operands.front();
    if (shell == "bash")
        session.out << bash_script();
    else if (shell == "zsh")
        session.out << zsh_script();
    else if (shell == "fish")
        session.out << fish_completion();
    else
        throw core::Error(core::Status::usage, "completion: found " + core::in_quotes(shell) +
                                                   ", expected bash, zsh or fish");
    return core::Status::done;
}

}  // namespace cli
