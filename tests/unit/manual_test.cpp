// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "cli/command.hpp"
#include "cli/files/text_file.hpp"
#include "cli/reference.hpp"
#include "cli/views/json.hpp"
#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/roce_intent.hpp"
#include "core/profile/schema.hpp"

namespace manual_test {

namespace {

const std::string kManual = ROCECTL_SOURCE_DIR "/man/";

/// man(7) writes a hyphen that can be copied as \-.
std::string plain(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\\' || i + 1 >= text.size() || text[i + 1] != '-') out += text[i];
    return out;
}

/// What rocectl-plan(8) says of the members of a document, by their paths: `.steps[].port`.
struct Member {
    std::string type;
    bool optional = false;
};
using Members = std::map<std::string, Member>;

Members documented() {
    const std::string text = cli::read_file(kManual + "rocectl-plan.8");
    const std::regex form(R"re(\n\.TP\n\.BR (\.\S+) " \(([a-z ]+)(, optional)?\)"\n)re");
    Members out;
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
        out[(*at)[1]] = {.type = (*at)[2], .optional = (*at)[3].matched};
    return out;
}

bool is(const core::Json& value, const std::string& type) {
    const auto all = [&value](const std::string& item) {
        return value.is_array() && std::ranges::all_of(value, [&](const core::Json& one) {
                   return one.type_name() == item;
               });
    };
    if (type == "array of strings") return all("string");
    if (type == "array of objects") return all("object");
    return type == "value" || value.type_name() == type;
}

/// Checks that the object has all the members that are said to be there and none that is not;
/// adds the paths of those it has to `met`.
void hold_against(const Members& members, const core::Json& object, const std::string& path,
                  std::set<std::string>& met) {
    for (const auto& [at, member] : members) {
        const std::size_t dot = at.rfind('.');
        if (at.substr(0, dot) != path || member.optional) continue;
        CAPTURE(at);
        CHECK(object.contains(at.substr(dot + 1)));
    }
    for (const auto& [name, value] : object.items()) {
        const std::string at = path + '.' + name;
        CAPTURE(at);
        REQUIRE(members.contains(at));
        const std::string& type = members.at(at).type;
        CHECK(is(value, type));
        met.insert(at);
        if (type == "object") hold_against(members, value, at, met);
        if (type == "array of objects")
            for (const core::Json& item : value)
                hold_against(members, item, at + "[]", met);
    }
}

/// What `plan -o json` prints for the first port of the state.
core::Json plan_document(const std::string& state) {
    const std::string file = ROCECTL_SOURCE_DIR "/tests/states/" + state + ".json";
    cli::Options options;
    options.operands = {ROCECTL_SOURCE_DIR "/profiles/db-cluster.json"};
    options.state = file;
    options.set = {{"nic", core::parse_state(cli::read_file(file), file).ports.at(0).name},
                   {"address", "192.168.100.1"},
                   {"network", "192.168.100.0"},
                   {"length", "24"}};
    options.output = cli::Output::json;
    std::ostringstream out;
    cli::Session session{.command = "plan",
                         .options = options,
                         .style = {},
                         .out = out,
                         .live = nullptr,
                         .ask = nullptr,
                         .missing_privilege = nullptr};
    const core::Status status = cli::plan(session);
    core::Json document = core::Json::parse(out.str());
    CHECK(document["status"] == static_cast<int>(status));
    return document;
}

}  // namespace

TEST_CASE(
    "rocectl-plan(8): -o json prints the members it documents, of their types, and no other") {
    const Members members = documented();
    std::set<std::string> met;
    for (const char* state : {"mlx5_core", "bnxt_en", "bnxt_en-agent", "ice", "hns3", "generic"}) {
        CAPTURE(state);
        hold_against(members, plan_document(state), "", met);
    }
    Members of_error = members;
    for (const char* absent : {".ports", ".steps", ".findings"})
        of_error.erase(absent);
    hold_against(
        of_error,
        core::Json::parse(cli::errors_json({"plan", core::Status::invalid_input}, {"wrong"})), "",
        met);
    for (const auto& [at, member] : members) {
        CAPTURE(at);
        CHECK(met.contains(at));
    }
}

TEST_CASE("explain: every finding is explained by its row") {
    for (const core::FindingRow* row : core::catalogue()) {
        CAPTURE(row->id);
        const std::string text = cli::text_of(cli::entry_of(*row), {});
        for (const std::string_view part : {row->id, row->why, row->remedy, row->manual,
                                            row->cause.ruled_out_by, row->cause.test})
            CHECK(text.find(part) != std::string::npos);
        for (const std::string_view id : row->cause.explains)
            CHECK(text.find(id) != std::string::npos);
        for (const std::string_view key : row->needs.keys)
            CHECK(text.find(key) != std::string::npos);
    }
}

namespace {

/// What explain prints of a key; empty where it knows none.
std::string explained(const std::string& key) {
    std::ostringstream out;
    cli::Options options;
    options.operands = {key};
    cli::Session session{.command = "explain",
                         .options = options,
                         .style = {},
                         .out = out,
                         .live = nullptr,
                         .ask = nullptr,
                         .missing_privilege = nullptr};
    try {
        static_cast<void>(cli::explain(session));
    } catch (const core::Error&) {
        return {};
    }
    return out.str();
}

/// The keys that a part of the schema has, by the names under which they are explained.
void keys_of(const core::Json& schema, const std::string& prefix, std::set<std::string>& out) {
    const core::Json& object = schema.contains("anyOf") && schema["anyOf"][0].contains("properties")
                                   ? schema["anyOf"][0]
                                   : schema;
    if (!object.contains("properties")) {
        if (!prefix.empty()) out.insert(prefix.substr(0, prefix.size() - 1));
        return;
    }
    for (const auto& [name, inner] : object["properties"].items()) {
        const bool record = core::find_field(prefix + name) != nullptr;
        if (record)
            out.insert(prefix + name);
        else
            keys_of(inner, prefix + name + '.', out);
    }
}

}  // namespace

TEST_CASE("explain: it knows every key that a profile may have, and so does rocectl-profile(5)") {
    const core::Json schema = core::profile_schema();
    std::set<std::string> keys;
    keys_of(schema, "", keys);
    keys_of(schema["$defs"]["entry"], "", keys);
    std::set<std::string> of_vlan;
    keys_of(schema["$defs"]["vlan"], "", of_vlan);
    CHECK(of_vlan.contains("name"));
    keys_of(schema["$defs"]["roce"], "roce.", keys);
    for (const char* whole : {"ports", "host", "switch", "match", "vlans", "absent", "vlans.name"})
        keys.insert(whole);
    for (const core::ProfileKey& key : core::profile_keys())
        keys.insert(key.name);
    CHECK(keys.size() > 100);
    const std::string manual = plain(cli::read_file(kManual + "rocectl-profile.5"));
    for (const std::string& key : keys) {
        CAPTURE(key);
        CHECK_FALSE(explained(key).empty());
        const std::string last = key.substr(key.rfind('.') + 1);
        const std::string fact = key.starts_with("facts.") ? key.substr(6) : key;
        const bool in_manual = manual.find(fact) != std::string::npos ||
                               manual.find("\n.B " + last) != std::string::npos ||
                               manual.find("\n.BR " + last) != std::string::npos;
        CHECK(in_manual);
    }
}

TEST_CASE("rocectl-profile(5): what roce means where a key is not stated stands with the key") {
    const std::string manual = plain(cli::read_file(kManual + "rocectl-profile.5"));
    const std::size_t begin = manual.find(".SH INTENT");
    REQUIRE(begin != std::string::npos);
    const std::string section = manual.substr(begin, manual.find("\n.SH ", begin + 1) - begin);
    for (const core::IntentKey& key : core::intent_keys()) {
        CAPTURE(key.name);
        const std::string group(key.name.substr(0, key.name.find('.')));
        const std::size_t at = section.find("\n.TP\n.B " + group + '\n');
        REQUIRE(at != std::string::npos);
        const std::string paragraph = section.substr(at, section.find("\n.TP\n", at + 1) - at);
        CHECK(paragraph.find("not stated") != std::string::npos);
        if (key.shape.kind == core::Shape::Kind::number)
            CHECK(paragraph.find(core::text(core::preset_of(key))) != std::string::npos);
    }
}

}  // namespace manual_test
