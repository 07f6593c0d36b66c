// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "cli/command.hpp"
#include "cli/commands/explain_all.hpp"
#include "cli/commands/explain_text.hpp"
#include "cli/files/text_file.hpp"
#include "cli/reference.hpp"
#include "cli/views/intent.hpp"
#include "cli/views/json.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/model/letters.hpp"
#include "core/model/quote.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/roce_intent.hpp"

namespace cli {
namespace {

/// How many letters have to be added, removed or replaced.
std::size_t distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < left.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < right.size(); ++j) {
            const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// Up to four keys that somebody who wrote `word` may have meant, the nearest first.
std::string near(std::string_view word) {
    std::vector<std::pair<std::size_t, std::string>> keys;
    const auto add = [&](const std::string& key) {
        const bool part = word.size() > 1 && key.find(word) != std::string::npos;
        const std::size_t away = part ? 0 : distance(word, key);
        if (away <= std::max<std::size_t>(2, word.size() / 3)) keys.emplace_back(away, key);
    };
    for (const core::Field& field : core::fields())
        add(std::string(field.key));
    for (const core::IntentKey& key : core::intent_keys())
        add("roce." + std::string(key.name));
    for (const core::ProfileKey& key : core::profile_keys())
        add(key.name);
    for (const core::FindingRow* row : core::catalogue())
        add(std::string(row->id));
    std::ranges::stable_sort(keys, {}, [](const auto& key) { return key.first; });
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(keys.size(), 4); ++i)
        out += (i == 0 ? "" : ", ") + keys[i].second;
    return out;
}

/// What words of the text are names of: `mtu (setting), mlx5_core (driver)`.
std::string recognised(const std::string& text) {
    std::vector<std::string> out;
    const auto add = [&](std::string_view word, std::string_view kind) {
        const std::string known = std::string(word) + " (" + std::string(kind) + ')';
        if (std::ranges::find(out, known) == out.end()) out.push_back(known);
    };
    const auto is_part = [](char c) {
        return core::is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
    };
    const std::vector<core::ProfileKey> keys = core::profile_keys();
    for (auto from = text.begin(); from != text.end();) {
        from = std::find_if(from, text.end(), is_part);
        const auto to = std::find_if_not(from, text.end(), is_part);
        std::string word(from, to);
        from = to;
        word.erase(word.find_last_not_of('.') + 1);
        if (word.empty()) continue;
        if (core::find_field(word) != nullptr) add(word, "setting");
        if (std::ranges::find(keys, word, &core::ProfileKey::name) != keys.end())
            add(word, "key of a profile");
        if (core::find_finding(word) != nullptr) add(word, "check");
        for (const core::Driver* driver : core::drivers())
            if (driver->name == word) add(word, "driver");
        for (const core::ErrorText* error : core::error_texts())
            if (error->name == word) add(word, "error");
    }
    std::string names;
    for (const std::string& known : out)
        names += (names.empty() ? "" : ", ") + known;
    return names;
}

/// Of all drivers, or of the one that is named: a name without a row has the generic one's.
core::Status explain_intent(Session& session) {
    const std::vector<std::string>& operands = session.options.operands;
    IntentView view{.key = operands.front() == "roce" ? "" : operands.front(), .drivers = {}};
    if (operands.size() > 1) view.drivers.push_back(&core::driver_named(operands[1]));
    for (const core::Driver* const driver : core::drivers())
        if (operands.size() == 1) view.drivers.push_back(driver);
    if (session.options.output == Output::json)
        session.out << intent_json({session.command, core::Status::done}, view);
    else
        session.out << intent_text(view, session.style);
    return core::Status::done;
}

core::Status explain_finding(Session& session, const core::FindingRow& row) {
    if (session.options.output == Output::json)
        session.out << finding_json({session.command, core::Status::done}, row);
    else
        session.out << text_of(entry_of(row), session.style);
    return core::Status::done;
}

/// A key of a profile that is no setting.
core::Status explain_key(Session& session, const core::ProfileKey& key) {
    if (session.options.output == Output::json)
        session.out << key_json({session.command, core::Status::done}, key);
    else
        session.out << text_of(entry_of(key), session.style);
    return core::Status::done;
}

core::Status explain_term(Session& session, const core::GlossaryEntry& term) {
    if (session.options.output == Output::json)
        session.out << term_json({session.command, core::Status::done}, term);
    else
        session.out << text_of(entry_of(term), session.style);
    return core::Status::done;
}

/// Whether it is a setting, a key of a profile or a finding, and so no text of an error.
bool is_explained(const std::string& key) {
    const std::vector<core::ProfileKey> keys = core::profile_keys();
    return core::find_field(key) != nullptr || core::find_finding(key) != nullptr ||
           std::ranges::find(keys, key, &core::ProfileKey::name) != keys.end();
}

/// A text that was typed without quotes.
std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

core::Error unknown_text(const std::string& key, const std::string& text) {
    std::string known = recognised(text);
    std::vector<std::string_view> findings;
    for (const std::string& part : core::recognised_in(text, findings))
        known += (known.empty() ? "" : ", ") + part;
    std::string only;
    for (const std::string_view finding : findings)
        only += (only.empty() ? " --only " : ",") + std::string(finding);
    const std::string close = text == key ? near(key) : "";
    std::string out = "explain: unknown text '" + text + "'; ";
    out += known.empty() ? "nothing in it was recognised" : "recognised in it: " + known;
    out += close.empty() ? "; rocectl doctor" + only + " looks at the host itself"
                         : "; near: " + close;
    return {core::Status::usage, out};
}

}  // namespace

core::Status explain(Session& session) {
    const bool on_host = session.options.here || session.options.state;
    if (!on_host && session.files_read) session.files_read();
    if (session.options.html) return explain_all(session);
    if (session.options.operands.empty())
        throw core::Error(core::Status::usage,
                          "explain: SETTING, FINDING or TEXT is missing; --html FILE writes all");
    const std::string& asked = session.options.operands.front();
    if (asked == kStandardInput) return explain_input(session);
    // What an entry expects of a fact is explained with the fact.
    constexpr std::string_view facts = "facts.";
    const std::string key = asked.starts_with(facts) ? asked.substr(facts.size()) : asked;
    if (is_intent_key(key)) return explain_intent(session);
    const bool is_text = !is_explained(key);
    const core::GlossaryEntry* term = core::find_glossary_entry(joined(session.options.operands));
    if (is_text && term != nullptr && !on_host) return explain_term(session, *term);
    if (is_text)
        if (const auto met = known_texts(joined(session.options.operands)); !met.empty())
            return explain_texts(session, met);
    if (on_host)
        throw core::Error(
            core::Status::usage,
            "explain: --here and --state are for an error text, found " + core::in_quotes(key));
    if (is_text) throw unknown_text(key, joined(session.options.operands));
    if (session.options.operands.size() > 1)
        throw core::Error(core::Status::usage, "explain: found DRIVER '" +
                                                   session.options.operands[1] +
                                                   "', expected it behind roce alone");
    const core::Field* field = core::find_field(key);
    const core::FindingRow* row = core::find_finding(key);
    const std::vector<core::ProfileKey> keys = core::profile_keys();
    const auto of_profile = std::ranges::find(keys, key, &core::ProfileKey::name);
    if (field == nullptr && of_profile != keys.end()) return explain_key(session, *of_profile);
    if (field == nullptr && row != nullptr) return explain_finding(session, *row);
    if (session.options.output == Output::json)
        session.out << field_json({session.command, core::Status::done}, *field);
    else
        session.out << text_of(entry_of(*field), session.style);
    // The fact firmware has the name of a finding.
    if (row != nullptr && session.options.output != Output::json)
        session.out << '\n' << text_of(entry_of(*row), session.style);
    return core::Status::done;
}

}  // namespace cli
