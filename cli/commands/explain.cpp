// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/command.hpp"
#include "cli/driver_reference.hpp"
#include "cli/files/text_file.hpp"
#include "cli/reference.hpp"
#include "cli/run/task.hpp"
#include "cli/views/error_text.hpp"
#include "cli/views/intent.hpp"
#include "cli/views/json.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/doctor/reading.hpp"
#include "core/error.hpp"
#include "core/json/json.hpp"
#include "core/model/letters.hpp"
#include "core/model/quote.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/roce_intent.hpp"

namespace cli {
namespace {

constexpr OptionRow kHere{.name = "--here",
                          .help = "Look for the causes of the text on this host too",
                          .excludes = "--state",
                          .take = store<&Options::here>};
constexpr std::array kExplainOptions = {&kHere, &option::state, &option::html, &option::run_limit,
                                        &option::output};

std::vector<std::string> explained_words() {
    std::vector<std::string> out{"roce"};
    for (const core::Field& field : core::fields())
        out.emplace_back(field.key);
    for (const core::IntentKey& key : core::intent_keys())
        out.push_back("roce." + std::string(key.name));
    for (const core::ProfileKey& key : core::profile_keys())
        if (key.name != "roce") out.push_back(key.name);
    for (const core::FindingRow* row : core::catalogue())
        out.emplace_back(row->id);
    for (const core::Driver* const driver : core::drivers())
        out.emplace_back(driver->name);
    return out;
}

/// The host's checks for what the texts name; nothing where no host was asked for.
std::optional<core::Examination> examined(const Session& session,
                                          const std::vector<core::MetText>& met) {
    if (!session.options.here && !session.options.state) return std::nullopt;
    const std::vector<std::string_view> findings = core::candidate_findings(met);
    core::Inquiry inquiry;
    inquiry.only.insert(findings.begin(), findings.end());
    const auto kernel = open_host(session);
    if (inquiry.only.empty()) return core::Examination{};
    const core::State state = core::read_host(*kernel, inquiry);
    inquiry.now = &state;
    return core::examine_host(inquiry);
}

core::Status tell(Session& session, const std::vector<core::MetText>& met,
                  std::optional<std::size_t> lines) {
    const auto examination = examined(session, met);
    const MetView view{
        .met = met, .lines = lines, .examined = examination ? &*examination : nullptr};
    if (session.options.output == Output::json)
        session.out << met_json({session.command, core::Status::done}, view);
    else
        session.out << met_text(view, session.style);
    return core::Status::done;
}

/// Hands on each line, as far as it is kept, until there is no more.
template <typename Take>
void each_line(std::istream& in, const Take& take) {
    constexpr std::size_t longest = 16384;
    std::array<char, 65536> block{};
    std::string line;
    bool open = false;
    while (in.read(block.data(), block.size()), in.gcount() > 0) {
        std::string_view rest(block.data(), static_cast<std::size_t>(in.gcount()));
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            line.append(rest.substr(0, std::min(end, longest - line.size())));
            open = end == rest.size();
            rest.remove_prefix(open ? end : end + 1);
            if (open) continue;
            take(line);
            line.clear();
        }
    }
    if (open) take(line);
}

/// The known error texts found in `text`, which may have many lines.
std::vector<core::MetText> known_texts(const std::string& text) {
    std::vector<core::MetText> met;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        core::meet(met, rest.substr(0, end), false);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return met;
}

/// Explains each text and, with --here, which of its causes are present on this host.
core::Status explain_texts(Session& session, const std::vector<core::MetText>& met) {
    return tell(session, met, std::nullopt);
}

/// Reads standard input to its end and explains the known texts in it as explain_texts does, each
/// with its count. Memory is bounded: one line for each known text. Throws Error (failed) on a read
/// error.
core::Status explain_input(Session& session) {
    std::vector<core::MetText> met;
    std::size_t lines = 0;
    each_line(*session.in, [&](const std::string& line) {
        ++lines;
        core::meet(met, line, true);
    });
    if (session.in->bad()) throw core::Error(core::Status::failed, "standard input cannot be read");
    if (session.beat) session.beat();
    return tell(session, met, lines);
}

using cli::entry_of;  // beside those below

std::vector<Entry> fields_of(bool settings) {
    std::vector<Entry> out;
    for (const core::Field& field : core::fields())
        if ((field.use == core::Field::Use::setting) == settings) out.push_back(entry_of(field));
    return out;
}

Entry entry_of(const core::IntentKey& key) {
    return {.name = "roce." + std::string(key.name),
            .doc = std::string(key.doc),
            .rows = {{"takes", core::admits(key.shape)},
                     {"where it is not stated", core::text(core::preset_of(key))}}};
}

/// What is behind it, the one to look at first in front.
Entry entry_of(const core::ErrorText& text) {
    Entry out{.name = std::string(text.sample), .doc = std::string(text.meaning)};
    out.rows.push_back({"printed by", std::string(text.by)});
    Entry::Part behind{.title = "what may be behind it"};
    for (const core::ErrorCandidate& one : candidates_of(text)) {
        if (!one.finding.empty())
            behind.rows.push_back(
                {std::string(one.finding), std::string(core::find_finding(one.finding)->why)});
        else
            behind.rows.push_back({"", std::string(one.words)});
    }
    if (!behind.rows.empty()) out.parts.push_back(std::move(behind));
    if (!text.mistaken.empty()) out.rows.push_back({"mistaken advice", std::string(text.mistaken)});
    return out;
}

/// Of rows, or of pointers to them.
template <typename Rows>
std::vector<Entry> entries_of(const Rows& rows) {
    std::vector<Entry> out;
    for (const auto& row : rows)
        if constexpr (requires { *row; })
            out.push_back(entry_of(*row));
        else
            out.push_back(entry_of(row));
    return out;
}

/// Entries of one kind.
struct Chapter {
    std::string id{};  ///< as the page's address has it behind #
    std::string title{};
    std::vector<Entry> entries{};
};

core::Json chapter_json(const Chapter& chapter) {
    core::Json entries = core::Json::array();
    for (const Entry& entry : chapter.entries) {
        core::Json parts = core::Json::array();
        for (const Entry::Part& part : entry.parts)
            if (!part.shared) parts.push_back({{"title", part.title}, {"rows", part.rows}});
        entries.push_back({{"name", entry.name},
                           {"doc", entry.doc},
                           {"rows", entry.rows},
                           {"parts", std::move(parts)}});
    }
    return {{"id", chapter.id}, {"title", chapter.title}, {"entries", std::move(entries)}};
}

/// Writes the page of everything that can be explained. Throws Error (usage) where an operand is
/// given as well.
core::Status explain_all(Session& session) {
    const Options& options = session.options;
    if (!options.operands.empty() || options.here || options.state)
        throw core::Error(core::Status::usage,
                          "explain: --html writes all that can be explained; expected no operand, "
                          "--here or --state beside it");
    const std::vector<Chapter> chapters = {
        {"settings", "Settings that a profile may state", fields_of(true)},
        {"roce", "Keys of roce, from which settings follow", entries_of(core::intent_keys())},
        {"keys", "Other keys of a profile", entries_of(core::profile_keys())},
        {"facts", "Facts that are observed", fields_of(false)},
        {"findings", "Checks and findings", entries_of(core::catalogue())},
        {"drivers", "Drivers", entries_of(core::drivers())},
        {"texts", "Error texts of programs and the kernel", entries_of(core::error_texts())},
        {"terms", "Words of RoCE", entries_of(core::glossary())}};
    const Heading heading{session.command, core::Status::done};
    core::Json all = core::Json::array();
    std::vector<Row> rows;
    core::Json counted = core::Json::object();
    for (const Chapter& chapter : chapters) {
        all.push_back(chapter_json(chapter));
        rows.push_back({chapter.title, std::to_string(chapter.entries.size())});
        counted[chapter.id] = chapter.entries.size();
    }
    session.save(page(heading, {{"chapters", std::move(all)}}));
    session.out << (options.output == Output::json ? document(heading, {{"entries", counted}})
                                                   : table(rows));
    return core::Status::done;
}

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

/// The row of this name or title; null where none has it.
const core::Driver* find_driver(std::string_view name) {
    const core::Driver& found = core::driver_named(name);
    return found.name == name || found.title == name ? &found : nullptr;
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
        if (find_driver(word) != nullptr) add(word, "driver");
        for (const core::ErrorText* error : core::error_texts())
            if (error->name == word) add(word, "error");
    }
    std::string names;
    for (const std::string& known : out)
        names += (names.empty() ? "" : ", ") + known;
    return names;
}

/// Of all drivers, or of the one that is named: a name without a row is an unknown driver's.
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

core::Status explain_driver(Session& session, const core::Driver& driver) {
    if (session.options.output == Output::json)
        session.out << driver_json({session.command, core::Status::done}, driver);
    else
        session.out << text_of(entry_of(driver), session.style);
    return core::Status::done;
}

/// Whether it is a setting, a key of a profile, a finding or a driver, and so no text of an error.
bool is_explained(const std::string& key) {
    const std::vector<core::ProfileKey> keys = core::profile_keys();
    return core::find_field(key) != nullptr || core::find_finding(key) != nullptr ||
           find_driver(key) != nullptr ||
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

constinit const Command command::explain{.name = "explain",
                                         .operands = "SETTING|FINDING|DRIVER|TEXT|- [DRIVER]",
                                         .operands_max = kMany,
                                         .input_operand = "TEXT",
                                         .help =
                                             "Say what a setting takes, what a finding means, what "
                                             "a driver does, where an error text comes from",
                                         .host = HostUse::reads,
                                         .on_demand = true,
                                         .asks_devices = true,
                                         .limited = true,
                                         .options = kExplainOptions,
                                         .operand_words = explained_words,
                                         .run = cli::explain};

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
    if (field == nullptr) return explain_driver(session, *find_driver(key));
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
