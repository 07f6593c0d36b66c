// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/journal/entry.hpp"
#include "core/json/plan_reader.hpp"

namespace core {
namespace {

template <typename Item>
Json list_json(const std::vector<Item>& items) {
    Json out = Json::array();
    for (const Item& item : items)
        out.push_back(to_json(item));
    return out;
}

Json to_json(const Subject& subject) {
    return {{"name", subject.name}, {"pci", subject.pci}, {"mac", subject.mac}};
}

}  // namespace

Json first_line(const JournalEntry& entry) {
    Json subjects = Json::array();
    for (const Subject& subject : entry.subjects)
        subjects.push_back(to_json(subject));
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
            {"ports", std::move(subjects)},
            {"order", entry.past.ports},
            {"past", list_json(entry.past.wishes)},
            {"steps", list_json(entry.steps)}};
}

Json learned_line(const std::vector<Wish>& values) {
    return {{"learned", list_json(values)}};
}

Json writing_line(const Step& step, bool back) {
    return {{"writing", to_json(step)}, {"back", back}};
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
