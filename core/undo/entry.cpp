// SPDX-License-Identifier: Apache-2.0
#include "core/undo/entry.hpp"

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
