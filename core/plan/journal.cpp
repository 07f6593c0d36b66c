// SPDX-License-Identifier: Apache-2.0
#include "core/plan/journal.hpp"

#include <algorithm>

namespace core {
namespace {

std::string by(std::uint64_t entry) {
    return entry == 0 ? "" : " by " + std::to_string(entry);
}

}  // namespace

bool is_open(const JournalEntry& entry) {
    if (entry.completed_by || entry.rolled_back_by) return false;
    if (!entry.end || entry.end == Status::left_changed) return true;
    return entry.to_confirm && !entry.confirmed && entry.end == Status::done;
}

bool is_unconfirmed(const JournalEntry& entry) {
    return is_open(entry) && entry.to_confirm && !entry.confirmed && !entry.attempts.empty();
}

void note_what_is_back(std::vector<JournalEntry>& entries) {
    // The newest first: whether a rollback counts is known before what it undid.
    const auto counts = [&](std::uint64_t id) {
        const auto rollback = std::ranges::find(entries, id, &JournalEntry::id);
        return rollback == entries.end() || !rollback->rolled_back_by;
    };
    std::for_each(entries.rbegin(), entries.rend(), [&](JournalEntry& entry) {
        const std::vector<std::uint64_t>& all = entry.rollbacks;
        const auto last = std::find_if(all.rbegin(), all.rend(), counts);
        entry.rolled_back_by =
            last == all.rend() ? std::nullopt : std::optional<std::uint64_t>(*last);
    });
}

std::optional<std::uint64_t> last_to_undo(const std::vector<JournalEntry>& entries) {
    const auto last = std::find_if(entries.rbegin(), entries.rend(), [](const JournalEntry& entry) {
        return entry.command == "apply";
    });
    if (last == entries.rend()) return std::nullopt;
    if (last->rolled_back_by.value_or(0) == 0) return last->id;
    return std::ranges::find(entries, last->rolled_back_by, &JournalEntry::rolled_back_by)->id;
}

std::string state_text(const JournalEntry& entry) {
    if (entry.rolled_back_by) return "rolled back" + by(*entry.rolled_back_by);
    if (entry.completed_by) return "completed" + by(*entry.completed_by);
    if (!entry.end) return "unfinished";
    if (entry.end == Status::brought_back) return "brought back";
    if (entry.end == Status::left_changed) return "left changed";
    if (entry.to_confirm && !entry.confirmed) return "not confirmed";
    return "done";
}

}  // namespace core
