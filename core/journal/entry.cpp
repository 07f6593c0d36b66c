// SPDX-License-Identifier: Apache-2.0
#include "core/journal/entry.hpp"

namespace core {

bool is_open(const JournalEntry& entry) {
    if (entry.completed_by != 0 || entry.rolled_back_by != 0) return false;
    if (!entry.end || entry.end == Status::left_changed) return true;
    return entry.to_confirm && !entry.confirmed && entry.end == Status::done;
}

std::string state_text(const JournalEntry& entry) {
    if (entry.rolled_back_by != 0) return "rolled back by " + std::to_string(entry.rolled_back_by);
    if (entry.completed_by != 0) return "completed by " + std::to_string(entry.completed_by);
    if (!entry.end) return "unfinished";
    if (entry.end == Status::brought_back) return "brought back";
    if (entry.end == Status::left_changed) return "left changed";
    if (entry.to_confirm && !entry.confirmed) return "not confirmed";
    return "done";
}

}  // namespace core
