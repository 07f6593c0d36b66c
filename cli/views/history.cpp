// SPDX-License-Identifier: Apache-2.0
#include "cli/views/history.hpp"

#include <algorithm>

#include "cli/views/printable.hpp"
#include "core/json/plan_json.hpp"

namespace cli {
namespace {

using core::Attempt;
using core::Change;
using core::JournalEntry;
using core::Json;
using core::Step;

std::string shown(const std::optional<core::Value>& value) {
    return value ? core::text(*value) : "none";
}

std::string name_of(const Change& change) {
    std::string name(change.field->key);
    if (core::is_keyed(change.field->shape)) name += ' ' + change.element;
    return name;
}

/// `applied`, or why not; nothing is known of a write during which the run ended.
std::string result_of(const Attempt& attempt) {
    if (!attempt.result) return "the run ended before it was known";
    if (*attempt.result == core::Outcome::Result::applied) return "applied";
    return std::string(word(*attempt.result)) + ": " + attempt.text;
}

void add_rows(const Step& step, const std::string& result, std::vector<Row>& rows) {
    for (const Change& change : step.changes)
        rows.push_back({step.port, name_of(change),
                        (change.before_unknown ? "unknown" : shown(change.before)) + " → " +
                            shown(change.after),
                        result});
}

/// All that a rollback writes undoes something.
std::size_t tried(const JournalEntry& entry) {
    const bool undoing = entry.command == "rollback";
    return static_cast<std::size_t>(std::ranges::count_if(
        entry.attempts, [undoing](const Attempt& a) { return a.undoing == undoing; }));
}

Json attempt_json(const Attempt& attempt) {
    Json out = {{"step", core::to_json(attempt.step)}, {"back", attempt.undoing}};
    out["result"] = attempt.result ? Json(word(*attempt.result)) : Json();
    if (!attempt.text.empty()) out["text"] = attempt.text;
    return out;
}

Json summary(const JournalEntry& entry) {
    Json out = {{"id", entry.id},
                {"command", entry.command},
                {"subject", entry.subject},
                {"digest", entry.digest},
                {"time", entry.time},
                {"user", entry.user},
                {"host", {{"name", entry.host.name}, {"kernel", entry.host.kernel}}},
                {"boot", entry.boot},
                {"ports", core::list_json(entry.subjects)},
                {"state", state_text(entry)},
                {"open", is_open(entry)}};
    out["end"] = entry.end ? Json(static_cast<int>(*entry.end)) : Json();
    return out;
}

}  // namespace

std::string history_text(const std::vector<JournalEntry>& entries, const Style& style) {
    if (entries.empty()) return "nothing was written\n";
    std::vector<Row> rows{{"ID", "TIME", "USER", "COMMAND", "OF", "STEPS", "STATE"}};
    for (const JournalEntry& entry : entries)
        rows.push_back({std::to_string(entry.id), entry.time, entry.user, entry.command,
                        entry.subject,
                        std::to_string(tried(entry)) + " of " + std::to_string(entry.steps.size()),
                        is_open(entry) ? style.bad(state_text(entry)) : state_text(entry)});
    return table(rows, "", style.width);
}

std::string entry_text(const JournalEntry& entry, const Style& style) {
    std::string out = style.bold(entry.command + ' ' + std::to_string(entry.id)) + " of " +
                      on_one_line(entry.subject + ": " + state_text(entry)) + '\n';
    out += table({{"time", entry.time + (entry.end_time.empty() ? "" : " to " + entry.end_time)},
                  {"user", entry.user},
                  {"host", entry.host.name + ", kernel " + entry.host.kernel},
                  {"digest", entry.digest.empty() ? "none" : entry.digest}},
                 "  ", style.width);
    std::vector<Row> rows;
    std::vector<Row> back;
    for (const Attempt& attempt : entry.attempts)
        add_rows(attempt.step, result_of(attempt), attempt.undoing ? back : rows);
    for (std::size_t i = tried(entry); i < entry.steps.size() && entry.command != "rollback"; ++i)
        add_rows(entry.steps[i], "not tried", rows);
    out += table(rows, "  ", style.width);
    if (!back.empty()) out += "rollback\n" + table(back, "  ", style.width);
    return out;
}

std::string history_json(const Heading& heading, const std::vector<JournalEntry>& entries) {
    Json out = Json::array();
    for (const JournalEntry& entry : entries)
        out.push_back(summary(entry));
    return document(heading, {{"entries", std::move(out)}});
}

std::string entry_json(const Heading& heading, const JournalEntry& entry) {
    Json out = summary(entry);
    out["steps"] = core::list_json(entry.steps);
    out["attempts"] = Json::array();
    for (const Attempt& attempt : entry.attempts)
        out["attempts"].push_back(attempt_json(attempt));
    return document(heading, {{"entry", std::move(out)}});
}

std::string open_text(const JournalEntry& entry, bool may_go_on) {
    return entry.command + ' ' + std::to_string(entry.id) + " of " + entry.time + " (" +
           entry.subject + ") is " + state_text(entry) + ", " + std::to_string(tried(entry)) +
           " of " + std::to_string(entry.steps.size()) + " steps were written; " +
           (may_go_on ? "root can see whether it still writes"
                      : "rocectl rollback goes back before it");
}

}  // namespace cli
