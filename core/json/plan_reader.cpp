// SPDX-License-Identifier: Apache-2.0
#include "core/json/plan_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace core {
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

}  // namespace core
