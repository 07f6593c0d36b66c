// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/explain_all.hpp"

#include <nlohmann/json.hpp>

#include "cli/reference.hpp"
#include "cli/views/json.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/json/json.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/roce_intent.hpp"

namespace cli {
namespace {

using cli::entry_of;  // beside those below

std::vector<Entry> fields_of(bool settings) {
    std::vector<Entry> out;
    for (const core::Field& field : core::fields())
        if ((field.use == core::Field::Use::setting) == settings) out.push_back(entry_of(field));
    return out;
}

Entry entry_of(const core::Driver& driver) {
    return {.name = std::string(driver.name), .doc = std::string(driver.doc)};
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

}  // namespace

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

}  // namespace cli
