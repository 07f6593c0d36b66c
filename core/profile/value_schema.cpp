// SPDX-License-Identifier: Apache-2.0
#include "core/profile/value_schema.hpp"

#include <nlohmann/json.hpp>

#include "core/model/field.hpp"

namespace core::schema {

Json reference(const std::string& name) {
    return {{"$ref", "#/$defs/" + name}};
}

Json or_variable(Json value) {
    return {{"anyOf", Json::array({std::move(value), reference("variable")})}};
}

Json or_null(Json value) {
    return {{"anyOf", Json::array({std::move(value), Json{{"type", "null"}}})}};
}

Json closed_object(Json properties) {
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json number(std::uint64_t min, std::uint64_t max) {
    return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}

Json text(Shape::Text text) {
    Json out = {{"type", "string"}, {"minLength", 1}};
    switch (text) {
        case Shape::Text::mac: out["pattern"] = "^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$"; break;
        case Shape::Text::ip: out["pattern"] = "^[0-9A-Fa-f.:]+$"; break;
        case Shape::Text::address: out["pattern"] = "^[0-9A-Fa-f.:]+/[0-9]{1,3}$"; break;
        case Shape::Text::prefix: out["pattern"] = "^([0-9A-Fa-f.:]+/[0-9]{1,3}|default)$"; break;
        case Shape::Text::network: out["pattern"] = "^([0-9A-Fa-f.:]+(/[0-9]{1,3})?|all)$"; break;
        case Shape::Text::cpus:
            out["pattern"] = "^(local|[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)$";
            break;
        case Shape::Text::selectors: {
            const std::string one = "(ethtype|stream-port|dgram-port|port|dscp|pcp)";
            out["pattern"] = "^(none|" + one + "( " + one + "){0,5})$";
            break;
        }
        case Shape::Text::name: out["maxLength"] = 63; break;
        case Shape::Text::line: out = {{"type", Json::array({"string", "integer"})}}; break;
        case Shape::Text::any:
        case Shape::Text::pci: break;
    }
    return out;
}

namespace {

using Kind = Shape::Kind;

Json words(const Shape& shape) {
    Json any = Json::array();
    any.push_back({{"enum", shape.words}});
    if (shape.max > 0) {
        any.push_back(number(shape.min, shape.max));
        any.push_back({{"type", "string"}, {"pattern", "^[0-9]+$"}});
    }
    return any.size() == 1 ? any.front() : Json{{"anyOf", any}};
}

Json list(Json item, bool fixed) {
    Json out = {{"type", "array"}, {"items", or_variable(std::move(item))}};
    if (fixed) {
        out["minItems"] = Shape::list_length;
        out["maxItems"] = Shape::list_length;
    } else {
        out["uniqueItems"] = true;
    }
    return out;
}

Json record(const Shape& shape, bool may_be_absent) {
    Json properties = Json::object();
    Json required = Json::array();
    Json of_present = Json::array();  // what is not there needs only what tells it from others
    for (const RecordPart& part : shape.parts) {
        Json entry = or_variable(value(part.shape));
        entry["description"] = part.doc;
        properties[std::string(part.name)] = std::move(entry);
        if (part.required)
            (may_be_absent && !part.identity ? of_present : required).push_back(part.name);
    }
    if (may_be_absent) properties["absent"] = reference("absent");
    Json out = closed_object(std::move(properties));
    out["required"] = std::move(required);
    if (!of_present.empty())
        out["anyOf"] = Json::array(
            {{{"required", std::move(of_present)}}, {{"required", Json::array({"absent"})}}});
    return out;
}

Json items(const Shape& shape) {
    if (!shape.parts.empty())
        return {{"type", "array"}, {"items", or_variable(record(shape, true))}};
    Json which = or_variable(text(shape.text));
    which["description"] = "Which element.";
    Json absent = closed_object(
        {{std::string(item_part(shape)), std::move(which)}, {"absent", reference("absent")}});
    absent["required"] = Json::array({item_part(shape)});
    return {{"type", "array"},
            {"items", {{"anyOf", Json::array({text(shape.text), reference("variable"), absent})}}}};
}

Json map(const Shape& shape) {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", "^(0|[1-9][0-9]*)$"}}},
            {"additionalProperties", or_null(or_variable(number(shape.min, shape.max)))}};
}

Json named(const Shape& shape) {
    Json out = {
        {"type", "object"},
        {"propertyNames", shape.closed ? Json{{"enum", shape.words}} : Json{{"minLength", 1}}},
        {"additionalProperties", shape.come_and_go ? or_null(or_variable(value(*shape.of)))
                                                   : or_variable(value(*shape.of))}};
    if (shape.bare.empty()) return out;
    return {{"anyOf", Json::array({value(*shape.of), std::move(out)})}};
}

}  // namespace

Json value(const Shape& shape) {
    switch (shape.kind) {
        case Kind::flag: return {{"type", "boolean"}};
        case Kind::number:
        case Kind::counter: return number(shape.min, shape.max);
        case Kind::word: return words(shape);
        case Kind::set:
            return list(shape.words.empty() ? number(shape.min, shape.max) : words(shape), false);
        case Kind::list: return list(number(shape.min, shape.max), true);
        case Kind::words: return list(words(shape), true);
        case Kind::text: return text(shape.text);
        case Kind::record: return or_null(record(shape, false));
        case Kind::map: return map(shape);
        case Kind::named: return named(shape);
        case Kind::items: return items(shape);
    }
    return {};
}

}  // namespace core::schema
