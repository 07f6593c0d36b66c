// SPDX-License-Identifier: Apache-2.0
#include "core/profile/schema.hpp"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "core/model/field.hpp"
#include "core/model/object.hpp"
#include "core/profile/acceptance.hpp"
#include "core/profile/accepted_findings.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/fabrics.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/match.hpp"
#include "core/profile/roce_intent.hpp"
#include "core/profile/switch.hpp"

namespace core::schema {
namespace {

Json reference(const std::string& name) {
    return {{"$ref", "#/$defs/" + name}};
}

/// The value, or a text with `${…}` in it.
Json or_variable(Json value) {
    return {{"anyOf", Json::array({std::move(value), reference("variable")})}};
}

Json or_null(Json value) {
    return {{"anyOf", Json::array({std::move(value), Json{{"type", "null"}}})}};
}

/// With these members and no other.
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

using Kind = Shape::Kind;

Json value(const Shape& shape);

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

/// What a profile may state of a setting of the shape.
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

}  // namespace
}  // namespace core::schema

namespace core {
namespace {

using schema::closed_object;
using schema::number;
using schema::or_null;
using schema::or_variable;
using schema::reference;
using schema::value;

Json setting(const Field& field) {
    Json out = or_variable(value(field.shape));
    out["description"] = field.doc;
    return out;
}

/// `pfc.priorities` as it is written nested: {"pfc": {"priorities": …}}.
void add_nested(Json& properties, std::string_view key, const Json& schema) {
    const std::size_t dot = key.find('.');
    Json& here = properties[std::string(key.substr(0, dot))];
    if (dot == std::string_view::npos) {
        here = schema;
        return;
    }
    if (here.is_null()) here = closed_object(Json::object());
    add_nested(here["properties"], key.substr(dot + 1), schema);
}

Json roce() {
    Json properties = Json::object();
    for (const IntentKey& key : intent_keys()) {
        Json schema = or_variable(value(key.shape));
        schema["description"] = key.doc;
        schema["default"] = to_json(key.shape, preset_of(key));
        add_nested(properties, key.name, schema);
    }
    properties["cnp"] = or_null(properties["cnp"]);
    properties["cnp"]["description"] =
        "Congestion notification packets; null where they are not treated apart.";
    Json out = or_null(closed_object(std::move(properties)));
    out["description"] =
        "The intent: every setting that follows from it is derived for the ports; null for none.";
    return out;
}

/// The object, or null, of what a table of keys names.
Json section(std::span<const SectionKey> keys) {
    Json properties = Json::object();
    for (const SectionKey& key : keys) {
        Json schema = or_variable(value(key.shape));
        schema["description"] = key.doc;
        properties[std::string(key.name)] = std::move(schema);
    }
    return or_null(closed_object(std::move(properties)));
}

/// A list of findings that are meant so.
Json accepted() {
    Json element = section(accepted_keys())["anyOf"][0];
    Json ids = Json::array();
    for (const FindingRow* row : catalogue())
        ids.push_back(row->id);
    element["properties"]["finding"]["anyOf"][0] = {{"enum", std::move(ids)}};
    element["properties"]["ports"]["anyOf"][0]["minItems"] = 1;
    element["properties"]["until"]["anyOf"][0]["pattern"] = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
    element["required"] = {"finding", "reason"};
    return or_null({{"type", "array"}, {"items", std::move(element)}});
}

Json match() {
    Json properties = Json::object();
    const Json one = {{"type", "string"}, {"minLength", 1}};
    for (const MatchKey& key : match_keys()) {
        const Json word = key.words.empty()
                              ? one
                              : or_variable(value({.kind = Shape::Kind::word, .words = key.words}));
        properties[std::string(key.name)] = {
            {"description", key.doc},
            {"anyOf", Json::array({word, {{"type", "array"}, {"items", word}, {"minItems", 1}}})}};
    }
    Json out = closed_object(std::move(properties));
    out["minProperties"] = 1;
    return out;
}

bool of_port(const Field& field) {
    return may_state(field, false);
}

Json keys(const std::function<bool(const Field&)>& may_be_named) {
    Json names = Json::array();
    for (const Field& field : fields())
        if (may_be_named(field)) names.push_back(field.key);
    return {{"type", "array"}, {"items", {{"enum", names}}}, {"uniqueItems", true}};
}

/// Each a value, or a list of those that do.
Json facts_schema() {
    Json properties = Json::object();
    for (const Field& field : fields()) {
        if (!may_expect(field)) continue;
        const bool named = field.shape.kind == Shape::Kind::named;
        const Json one = or_variable(value(named ? *field.shape.of : field.shape));
        Json schema = {
            {"anyOf", Json::array({one, {{"type", "array"}, {"items", one}, {"minItems", 1}}})}};
        if (named) schema = {{"type", "object"}, {"additionalProperties", std::move(schema)}};
        schema["description"] = field.doc;
        add_nested(properties, field.key, schema);
        if (field.key.find('.') != std::string_view::npos)
            properties[std::string(field.key)] = std::move(schema);
    }
    return closed_object(std::move(properties));
}

Json entry_value(std::string_view name) {
    constexpr std::uint64_t most_ports = 65535;
    if (name == "match") return match();
    if (name == "expect") return or_variable(number(1, most_ports));
    if (name == "roce") return reference("roce");
    if (name == "facts") return facts_schema();
    if (name == "fabric") return or_variable(schema::text(Shape::Text::name));
    if (name == "missing")
        return or_variable(value({.kind = Shape::Kind::word, .words = kMissingWords}));
    if (name == "rdma.device") return schema::text(Shape::Text::name);
    if (name == "vlans")
        return {{"type", "object"},
                {"propertyNames", {{"pattern", "^([1-9][0-9]*|\\$\\{[^}]*\\})$"}}},
                {"additionalProperties", or_null(reference("vlan"))}};
    if (name == "exact")
        return keys([](const Field& field) { return of_port(field) && can_be_exact(field.shape); });
    if (name == "required")
        return keys([](const Field& field) { return of_port(field) || may_expect(field); });
    return keys(of_port);
}

/// A fabric of `fabrics`.
Json fabric() {
    Json properties = Json::object();
    for (const EntryKey& key : stated_fabric_keys()) {
        Json& property = properties[std::string(key.name)];
        if (key.name == "roce")
            property = reference("roce");
        else if (key.name == "to")
            property = {{"type", "array"},
                        {"items", or_variable(value(shape_of_fabric_key("to")))}};
        else
            property = or_variable(value(shape_of_fabric_key(key.name)));
        property["description"] = key.doc;
    }
    return closed_object(std::move(properties));
}

Json bond() {
    Json properties = Json::object();
    for (const Field& field : fields())
        if (of_port(field) && field.key.starts_with(kBondKeys))
            properties[std::string(field.key.substr(kBondKeys.size()))] = setting(field);
    return closed_object(std::move(properties));
}

/// What a profile states of the host itself.
Json host() {
    Json properties = Json::object();
    Json names = Json::array();
    for (const Field& field : fields()) {
        if (!may_state(field, true)) continue;
        const std::string_view key = key_in_place(field);
        add_nested(properties, key, setting(field));
        if (key.find('.') != std::string_view::npos) properties[std::string(key)] = setting(field);
        names.push_back(key);
    }
    for (const EntryKey& key : host_entry_keys()) {
        Json& property = properties[std::string(key.name.substr(kHostKeys.size()))];
        property =
            key.name == "host.bonds"
                ? Json{{"type", "object"}, {"additionalProperties", or_null(bond())}}
                : Json{{"type", "array"}, {"items", {{"enum", names}}}, {"uniqueItems", true}};
        property["description"] = key.doc;
    }
    return closed_object(std::move(properties));
}

/// Every key nested and, as the loader takes both, with its dots.
Json entry(bool of_vlan) {
    Json properties = Json::object();
    const auto add = [&](std::string_view key, const Json& schema) {
        add_nested(properties, key, schema);
        if (key.find('.') != std::string_view::npos) properties[std::string(key)] = schema;
    };
    for (const EntryKey& key : entry_keys()) {
        if (of_vlan && key.name != "optional" && key.name != "external" && key.name != "exact")
            continue;
        Json schema = entry_value(key.name);
        schema["description"] = key.doc;
        add(key.name, schema);
    }
    for (const Field& field : fields())
        if (of_port(field) && (!of_vlan || may_be_of_vlan(field))) add(field.key, setting(field));
    if (of_vlan) {
        properties["name"] = or_variable(schema::text(Shape::Text::name));
        properties["name"]["description"] = "Name of the VLAN; PORT.ID where not stated.";
    }
    Json out = closed_object(std::move(properties));
    if (!of_vlan) out["required"] = {"match"};
    return out;
}

}  // namespace

nlohmann::ordered_json profile_schema() {
    const Json string = {{"type", "string"}};
    const std::map<std::string_view, Json> forms = {
        {"format", {{"const", 1}}},
        {"name", string},
        {"$schema", string},
        {"extends", {{"type", "array"}, {"items", string}}},
        {"roce", reference("roce")},
        {"fabrics", {{"type", "object"}, {"additionalProperties", fabric()}}},
        {"host", host()},
        {"switch", section(switch_keys())},
        {"probe", section(acceptance_keys())},
        {"accepted", accepted()},
        {"ports", {{"type", "array"}, {"items", reference("entry")}}}};
    Json properties = Json::object();
    for (const EntryKey& key : top_keys()) {
        Json& form = properties[std::string(key.name)] = forms.at(key.name);
        form["description"] = key.doc;
    }
    Json out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "rocectl profile"}};
    out.update(closed_object(std::move(properties)));
    out["required"] = {"format"};
    out["$defs"] = {
        {"variable",
         {{"type", "string"},
          {"pattern", "\\$\\{[^}]*\\}"},
          {"description", "${name}, or ${index + 101}."}}},
        {"absent", {{"type", "boolean"}, {"description", "The element should not be there."}}},
        {"roce", roce()},
        {"entry", entry(false)},
        {"vlan", entry(true)}};
    return out;
}

}  // namespace core
