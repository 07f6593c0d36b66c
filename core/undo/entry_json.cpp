// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/json/plan_json.hpp"
#include "core/undo/entry.hpp"

namespace core {

Json to_json(const Subject& subject) {
    return {{"name", subject.name}, {"pci", subject.pci}, {"mac", subject.mac}};
}

Json first_line(const JournalEntry& entry) {
    return {{"format", 1},
            {"id", entry.id},
            {"command", entry.command},
            {"subject", entry.subject},
            {"digest", entry.digest},
            {"time", entry.time},
            {"user", entry.user},
            {"host", {{"name", entry.host.name}, {"kernel", entry.host.kernel}}},
            {"boot", entry.boot},
            {"to_confirm", entry.to_confirm},
            {"ports", list_json(entry.subjects)},
            {"order", entry.undo_profile.ports},
            {"past", list_json(entry.undo_profile.desired_values)},
            {"steps", list_json(entry.steps)}};
}

Json learned_line(const std::vector<Desired>& values) {
    return {{"learned", list_json(values)}};
}

Json writing_line(const Step& step, bool undoing) {
    return {{"writing", to_json(step)}, {"back", undoing}};
}

Json outcome_line(const Outcome& outcome) {
    return {{"outcome", word(outcome.result)}, {"text", outcome.text}};
}

Json end_line(Status status, const std::string& time) {
    return {{"end", static_cast<int>(status)}, {"time", time}};
}

Json mark_line(std::string_view mark, std::uint64_t by) {
    return {{"mark", mark}, {"by", by}};
}

}  // namespace core
