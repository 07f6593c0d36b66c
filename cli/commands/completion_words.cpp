// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/completion_words.hpp"

#include <algorithm>

#include "core/checks/catalogue.hpp"
#include "core/model/driver.hpp"
#include "core/model/field.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/roce_intent.hpp"

namespace cli::completion_words {

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

std::vector<const OptionRow*> options_of(const Command& command) {
    std::vector<const OptionRow*> rows(command.options.begin(), command.options.end());
    for (const OptionRow& row : common_options())
        rows.push_back(&row);
    return rows;
}

Words first_words() {
    Words words;
    for (const Command& command : commands()) {
        const std::string word(command.name.substr(0, command.name.find(' ')));
        if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
    return words;
}

Words members_of(std::string_view group) {
    Words words;
    for (const Command& command : commands())
        if (command.name.starts_with(std::string(group) + ' '))
            words.emplace_back(command.name.substr(group.size() + 1));
    return words;
}

Words groups() {
    Words words = first_words();
    std::erase_if(words, [](const std::string& word) { return members_of(word).empty(); });
    return words;
}

Words option_words(const Command& command) {
    Words words{"--help"};
    for (const OptionRow* row : options_of(command))
        words.emplace_back(row->name);
    return words;
}

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

Words value_words(const OptionRow& row) {
    return row.more_words == nullptr ? Words{row.words.begin(), row.words.end()} : row.more_words();
}

}  // namespace cli::completion_words
