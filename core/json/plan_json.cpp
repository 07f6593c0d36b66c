// SPDX-License-Identifier: Apache-2.0
#include "core/json/plan_json.hpp"

#include <algorithm>

#include "core/plan/saved_plan.hpp"

namespace core {
namespace {

Json value_json(const Change& change, const std::optional<Value>& value) {
    return value ? to_json(change.field->shape, *value) : Json();
}

Json to_json(const Change& change) {
    Json out = {{"setting", change.field->key}};
    if (!change.element.empty()) out["element"] = change.element;
    out["before"] = value_json(change, change.before);
    out["after"] = value_json(change, change.after);
    if (change.before_unknown) out["before_unknown"] = true;
    out["origin"] = to_json(change.origin);
    return out;
}

/// Whether the host differs from what it was before the command: a write was stored, or was
/// refused halfway and left something behind, and was not taken back.
bool changed(const Report& report) {
    if (report.status == Status::left_changed || !report.left_changed.empty()) return true;
    if (report.status != Status::done && report.status != Status::differs) return false;
    for (const Outcome& outcome : report.outcomes)
        if (outcome.result == Outcome::Result::applied) return true;
    return false;
}

}  // namespace

Json to_json(const Outcome& outcome) {
    Json out = {{"step", to_json(outcome.step)}, {"result", word(outcome.result)}};
    if (outcome.refusal)
        out["refusal"] = {{"code", outcome.refusal->code}, {"text", outcome.refusal->text}};
    if (!outcome.text.empty()) out["text"] = outcome.text;
    if (outcome.optional) out["optional"] = true;
    return out;
}

Json to_json(const Origin& origin) {
    Json out = Json::object();
    if (!origin.file.empty()) {
        out["file"] = origin.file;
        out["line"] = origin.line;
        out["column"] = origin.column;
    }
    if (!origin.derived_from.empty()) out["derived_from"] = origin.derived_from;
    if (!origin.other.empty()) out["other"] = origin.other;
    return out;
}

Json to_json(const Finding& finding) {
    Json out = {{"level", word(finding.level)}, {"id", finding.id.row().id},
                {"port", finding.port},         {"key", finding.key},
                {"element", finding.element},   {"text", finding.text},
                {"remedy", finding.remedy}};
    if (finding.origin != Origin{}) out["origin"] = to_json(finding.origin);
    return out;
}

Json to_json(const Step& step) {
    Json out = {{"port", step.port},
                {"object", row_of(step.object).name},
                {"disruption", word(step.disruption)},
                {"irreversible", step.irreversible},
                {"changes", Json::array()}};
    for (const Change& change : step.changes)
        out["changes"].push_back(to_json(change));
    return out;
}

Json to_json(const Plan& plan) {
    std::vector<std::string> ports = plan.ports;
    std::erase(ports, kHost);
    return {
        {"ports", ports}, {"steps", list_json(plan.steps)}, {"findings", list_json(plan.findings)}};
}

Json to_json(const Report& report) {
    Json out = to_json(report.plan);
    out["outcomes"] = list_json(report.outcomes);
    out["interrupted"] = report.interrupted;
    out["remaining"] = to_json(report.remaining);
    out["undone"] = list_json(report.undone);
    out["left_changed"] = list_json(report.left_changed);
    out["surprises"] = list_json(report.surprises);
    out["entry"] = report.entry == 0 ? Json() : Json(report.entry);
    out["changed"] = changed(report);
    if (report.status == Status::done || report.status == Status::differs) {
        out["wished"] = report.tally.desired;
        out["held"] = report.tally.held;
        out["optional_not_held"] = report.tally.optional;
    }
    return out;
}

Json to_json(const Desired& desired) {
    Json out = {{"port", desired.port}, {"setting", desired.field->key}};
    if (!desired.element.empty()) out["element"] = desired.element;
    out["value"] = desired.value ? to_json(desired.field->shape, *desired.value) : Json();
    out["origin"] = to_json(desired.origin);
    if (desired.optional) out["optional"] = true;
    if (desired.external) out["external"] = true;
    if (desired.required) out["required"] = true;
    for (const Value& value : desired.accepted)
        out["accepted"].push_back(to_json(desired.field->shape, value));
    return out;
}

Json to_json(const Exact& exact) {
    Json out = {{"port", exact.port}, {"setting", exact.field->key}};
    if (exact.only) out["only"] = to_json(exact.field->shape, *exact.only);
    out["origin"] = to_json(exact.origin);
    return out;
}

Json to_json(const RefusedOptional& one) {
    Json out = {{"port", one.port}, {"setting", one.field->key}};
    if (!one.element.empty()) out["element"] = one.element;
    out["value"] = one.value ? to_json(one.field->shape, *one.value) : Json();
    out["text"] = one.text;
    out["time"] = one.time;
    return out;
}

namespace {

/// One element as the whole value of its field, which is what there is a reader for.
Node as_whole(const Shape& shape, const std::string& element, const Node& node) {
    if (is_keyed(shape)) {
        Node whole = Node::of(Node::Kind::object, node.place);
        whole.members.push_back({.name = element, .place = node.place, .value = node});
        return whole;
    }
    if (shape.kind != Shape::Kind::items) return node;
    Node whole = Node::of(Node::Kind::array, node.place);
    whole.items.push_back(node);
    return whole;
}

unsigned number_in(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member == nullptr ? 0U : static_cast<unsigned>(number_of(*member).value_or(0));
}

std::optional<Disruption> find_disruption(std::string_view name) {
    for (auto i = Disruption::none; i <= Disruption::reboot;
         i = static_cast<Disruption>(static_cast<int>(i) + 1))
        if (word(i) == name) return i;
    return std::nullopt;
}

}  // namespace

void PlanReader::problem(const Node& node, const std::string& pointer, std::string text) {
    problems_.push_back({node.place, pointer, std::move(text)});
}

std::string PlanReader::text_if(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->kind == Node::Kind::text ? member->text : std::string();
}

bool PlanReader::flag(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->kind == Node::Kind::boolean && member->flag;
}

std::string PlanReader::text(const Node& node, std::string_view name, const std::string& pointer) {
    const Node* member = node.find(name);
    if (member != nullptr && member->kind == Node::Kind::text) return member->text;
    problem(node, pointer, "found no text " + in_quotes(name));
    return {};
}

const List<Node>& PlanReader::list(const Node& node, std::string_view name,
                                   const std::string& pointer) {
    static const List<Node> none;
    const Node* member = node.find(name);
    if (member != nullptr && member->kind == Node::Kind::array) return member->items;
    problem(node, pointer, "found no list " + in_quotes(name));
    return none;
}

const Field* PlanReader::field(const Node& node, const std::string& pointer) {
    const std::string key = text(node, "setting", pointer);
    const Field* found = find_field(key);
    if (found == nullptr && !key.empty())
        problem(node, pointer, "found unknown setting " + in_quotes(key));
    return found;
}

Origin PlanReader::origin(const Node& node) {
    const Node* origin = node.find("origin");
    if (origin == nullptr) return {};
    return {.file = text_if(*origin, "file"),
            .line = number_in(*origin, "line"),
            .column = number_in(*origin, "column"),
            .derived_from = text_if(*origin, "derived_from"),
            .other = text_if(*origin, "other")};
}

/// Nothing for null, and for an invalid value, which is a problem.
std::optional<Value> PlanReader::value(const Field& field, const std::string& element,
                                       const Node* node, const std::string& pointer,
                                       Values values) {
    if (node == nullptr || node->kind == Node::Kind::null) return std::nullopt;
    const std::size_t before = problems_.size();
    Elements read = parse_elements(field.shape, as_whole(field.shape, element, *node), pointer,
                                   problems_, values);
    if (problems_.size() > before) return std::nullopt;
    // An observed item is taken as written, even if its identity would differ.
    const bool only = values == Values::observed && field.shape.kind == Shape::Kind::items;
    if (const auto found = only ? read.begin() : read.find(element); found != read.end())
        return found->second;
    problem(*node, pointer, found(*node) + ", expected the value of " + in_quotes(element));
    return std::nullopt;
}

std::vector<Desired> PlanReader::desired_values(const Node& list, const std::string& pointer) {
    std::vector<Desired> out;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const Node& node = list.items[i];
        const std::string at = pointer_to(pointer, i);
        const Field* field = this->field(node, at);
        if (field == nullptr) continue;
        Desired desired{.port = text(node, "port", at),
                        .field = field,
                        .element = text_if(node, "element"),
                        .origin = origin(node),
                        .optional = flag(node, "optional"),
                        .external = flag(node, "external"),
                        .required = flag(node, "required")};
        desired.value = value(*field, desired.element, node.find("value"), at, desired_);
        if (const Node* others = node.find("accepted"))
            for (const Node& other : others->items)
                if (std::optional<Value> one = value(*field, desired.element, &other, at, desired_))
                    desired.accepted.push_back(std::move(*one));
        out.push_back(std::move(desired));
    }
    return out;
}

std::vector<Exact> PlanReader::exact(const Node& list, const std::string& pointer) {
    std::vector<Exact> out;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const Node& node = list.items[i];
        const std::string at = pointer_to(pointer, i);
        const Field* field = this->field(node, at);
        if (field == nullptr) continue;
        Exact exact{.port = text(node, "port", at), .field = field, .origin = origin(node)};
        // The value of any element will do: "only" is what all of them hold.
        if (const auto keys = sample_keys(field->shape); !keys.empty())
            exact.only = value(*field, keys.front(), node.find("only"), at, desired_);
        out.push_back(std::move(exact));
    }
    return out;
}

std::vector<RefusedOptional> PlanReader::refused_optional(const Node& list,
                                                          const std::string& pointer) {
    std::vector<RefusedOptional> out;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const Node& node = list.items[i];
        const std::string at = pointer_to(pointer, i);
        const Field* field = this->field(node, at);
        if (field == nullptr) continue;
        RefusedOptional one{.port = text(node, "port", at),
                            .field = field,
                            .element = text_if(node, "element"),
                            .text = text(node, "text", at),
                            .time = text(node, "time", at)};
        one.value = value(*field, one.element, node.find("value"), at, Values::observed);
        out.push_back(std::move(one));
    }
    return out;
}

std::optional<Step> PlanReader::step(const Node& node, const std::string& pointer) {
    Step step{.port = text(node, "port", pointer), .irreversible = flag(node, "irreversible")};
    const std::string object = text(node, "object", pointer);
    const auto found_object = find_object(object);
    const auto disruption = find_disruption(text_if(node, "disruption"));
    if (!found_object || !disruption) {
        problem(node, pointer, "found object " + in_quotes(object) + ", which is none");
        return std::nullopt;
    }
    step.object = *found_object;
    step.disruption = *disruption;
    for (const Node& change : list(node, "changes", pointer)) {
        const Field* field = this->field(change, pointer);
        if (field == nullptr) continue;
        Change out{.field = field,
                   .element = text_if(change, "element"),
                   .before_unknown = flag(change, "before_unknown"),
                   .origin = origin(change)};
        out.before = value(*field, out.element, change.find("before"), pointer, Values::observed);
        out.after = value(*field, out.element, change.find("after"), pointer, Values::observed);
        step.changes.push_back(std::move(out));
    }
    return step;
}

namespace {

SavedPlan read_saved(const Node& root, Problems& problems) {
    SavedPlan saved;
    PlanReader reader(problems, Values::described);
    const Node* format = root.find("format");
    const Node* body = root.find("saved");
    if (format == nullptr || number_of(*format) != std::uint64_t{1} || body == nullptr) {
        reader.problem(root, "", "found no saved plan, expected what rocectl plan --out writes");
        return saved;
    }
    const std::string at = "/saved";
    for (const char* written : {"profile", "ports", "wishes", "exact"})
        if (const Node* node = body->find(written))
            ends_early(*node, pointer_to(at, written), problems);
    if (!problems.empty()) return saved;
    saved.profile = reader.text(*body, "profile", at);
    saved.digest = reader.text(*body, "digest", at);
    for (const Node& port : reader.list(*body, "ports", at))
        saved.desired_values.ports.push_back(port.text);
    if (const Node* desired_values = body->find("wishes"))
        saved.desired_values.desired_values =
            reader.desired_values(*desired_values, at + "/wishes");
    if (const Node* exact = body->find("exact"))
        saved.desired_values.exact = reader.exact(*exact, at + "/exact");
    if (const Node* before = body->find("before"))
        saved.before = read_state(*before, problems, Values::observed);
    for (const Node& step : reader.list(*body, "steps", at))
        if (auto one = reader.step(step, at + "/steps")) saved.steps.push_back(std::move(*one));
    return saved;
}

}  // namespace

Json to_json(const SavedPlan& saved) {
    return {{"saved",
             {{"profile", saved.profile},
              {"digest", saved.digest},
              {"ports", saved.desired_values.ports},
              {"wishes", list_json(saved.desired_values.desired_values)},
              {"exact", list_json(saved.desired_values.exact)},
              {"steps", list_json(saved.steps)},
              {"before", to_json(saved.before)}}}};
}

SavedPlan parse_saved_plan(std::string_view text, const std::string& file) {
    Problems problems;
    const Node root = parse_tree(text, file, problems);
    SavedPlan saved;
    if (problems.empty()) saved = read_saved(root, problems);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return saved;
}

}  // namespace core
