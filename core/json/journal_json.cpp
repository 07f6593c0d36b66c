// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/plan_json.hpp"
#include "core/plan/journal.hpp"

namespace core {

Json to_json(const Subject& subject) {
    Json out = {{"name", subject.name}, {"pci", subject.pci}, {"mac", subject.mac}};
    if (!subject.permanent_mac.empty()) out["permanent_mac"] = subject.permanent_mac;
    if (!subject.kind.empty()) out["kind"] = subject.kind;
    return out;
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
            {"network_namespace", entry.network_namespace},
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

namespace {

class JournalReader {
public:
    explicit JournalReader(Problems& problems) : plan_(problems, Values::observed) {}

    void first(const Node& node) {
        const Node* format = node.find("format");
        if (format == nullptr || number_of(*format) != std::uint64_t{1}) {
            plan_.problem(node, "/format", "found no 'format' that is 1");
            return;
        }
        entry_.id = number(node, "id");
        entry_.command = plan_.text(node, "command", "");
        entry_.subject = PlanReader::text_if(node, "subject");
        entry_.digest = PlanReader::text_if(node, "digest");
        entry_.time = PlanReader::text_if(node, "time");
        entry_.user = PlanReader::text_if(node, "user");
        entry_.boot = PlanReader::text_if(node, "boot");
        entry_.network_namespace = number(node, "network_namespace");
        entry_.to_confirm = PlanReader::flag(node, "to_confirm");
        if (const Node* host = node.find("host"))
            entry_.host = {.name = PlanReader::text_if(*host, "name"),
                           .kernel = PlanReader::text_if(*host, "kernel")};
        for (const Node& port : plan_.list(node, "ports", ""))
            entry_.subjects.push_back({.name = PlanReader::text_if(port, "name"),
                                       .pci = PlanReader::text_if(port, "pci"),
                                       .mac = PlanReader::text_if(port, "mac"),
                                       .permanent_mac = PlanReader::text_if(port, "permanent_mac"),
                                       .kind = PlanReader::text_if(port, "kind")});
        for (const Node& name : plan_.list(node, "order", ""))
            entry_.undo_profile.ports.push_back(name.text);
        if (const Node* undo_profile = node.find("past"))
            entry_.undo_profile.desired_values = plan_.desired_values(*undo_profile, "/past");
        for (const Node& step : plan_.list(node, "steps", ""))
            if (auto read = plan_.step(step, "/steps")) entry_.steps.push_back(std::move(*read));
    }

    void next(const Node& node) {
        if (const Node* learned = node.find("learned")) {
            const std::vector<Desired> values = plan_.desired_values(*learned, "/learned");
            entry_.undo_profile.desired_values.insert(entry_.undo_profile.desired_values.end(),
                                                      values.begin(), values.end());
        } else if (const Node* writing = node.find("writing")) {
            if (auto step = plan_.step(*writing, "/writing"))
                entry_.attempts.push_back(
                    {.step = std::move(*step), .undoing = PlanReader::flag(node, "back")});
        } else if (const Node* outcome = node.find("outcome")) {
            take_outcome(node, *outcome);
        } else if (node.find("end") != nullptr) {
            entry_.end = static_cast<Status>(number(node, "end"));
            entry_.end_time = PlanReader::text_if(node, "time");
        } else {
            take_mark(node);
        }
    }

    JournalEntry take() { return std::move(entry_); }

private:
    static std::uint64_t number(const Node& node, std::string_view name) {
        const Node* member = node.find(name);
        return member == nullptr ? 0 : number_of(*member).value_or(0);
    }

    void take_outcome(const Node& node, const Node& outcome) {
        using enum Outcome::Result;
        if (entry_.attempts.empty()) {
            plan_.problem(node, "/outcome", "found an outcome of nothing");
            return;
        }
        Attempt& last = entry_.attempts.back();
        last.text = PlanReader::text_if(node, "text");
        for (const auto result : {applied, refused, not_stored})
            if (word(result) == outcome.text) last.result = result;
        if (!last.result) plan_.problem(node, "/outcome", found(outcome) + ", which is none");
    }

    void take_mark(const Node& node) {
        const std::string mark = plan_.text(node, "mark", "");
        const std::uint64_t by = number(node, "by");
        if (mark == "completed_by") entry_.completed_by = by;
        if (mark == "rolled_back_by") entry_.rollbacks.push_back(*(entry_.rolled_back_by = by));
        if (mark == "confirmed") entry_.confirmed = true;
    }

    PlanReader plan_;
    JournalEntry entry_;
};

}  // namespace

JournalEntry parse_entry(std::string_view text, const std::string& file) {
    Problems problems;
    JournalReader reader(problems);
    bool first = true;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos && !first) break;
        const Node node = parse_tree(text.substr(0, end), file, problems, Room::any);
        if (!problems.empty()) break;
        first ? reader.first(node) : reader.next(node);
        first = false;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (first) {
        problems.push_back({.place = {.file = file, .line = 1, .column = 1},
                            .text = "found nothing, expected an entry"});
    }
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return reader.take();
}

}  // namespace core
