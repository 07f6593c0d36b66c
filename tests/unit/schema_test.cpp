// SPDX-License-Identifier: Apache-2.0
#include "core/profile/schema.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/model/object.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/match.hpp"

namespace schema_test {

using namespace core;
using Schema = nlohmann::ordered_json;

namespace {

/// Calls `visit` with every object in the document.
template <typename Visit>
void each_object(const Schema& node, const Visit& visit) {
    if (node.is_object()) visit(node);
    if (node.is_structured())
        for (const Schema& inner : node)
            each_object(inner, visit);
}

}  // namespace

TEST_CASE("schema: every setting is in it, nested and dotted, with its sentence") {
    const Schema schema = profile_schema();
    const Schema& entry = schema["$defs"]["entry"]["properties"];
    for (const Field& field : fields()) {
        if (field.use != Field::Use::setting) continue;
        INFO(field.key);
        if (field.key.starts_with(kHostKeys)) {
            const Schema& host = schema["properties"]["host"]["properties"];
            const std::string key(field.key.substr(5));
            REQUIRE(host.contains(key));
            CHECK(host[key]["description"] == field.doc);
            CHECK_FALSE(entry.contains(field.key));
            continue;
        }
        REQUIRE(entry.contains(field.key));
        CHECK(entry[std::string(field.key)]["description"] == field.doc);
        const Schema* at = &entry;
        std::string_view rest = field.key;
        while (rest.find('.') != std::string_view::npos) {
            const std::string first(rest.substr(0, rest.find('.')));
            REQUIRE(at->contains(first));
            at = &(*at)[first]["properties"];
            rest.remove_prefix(first.size() + 1);
        }
        REQUIRE(at->contains(rest));
        CHECK((*at)[std::string(rest)] == entry[std::string(field.key)]);
    }
    for (const EntryKey& key : entry_keys())
        CHECK(entry.contains(key.name));
    for (const MatchKey& key : match_keys())
        CHECK(entry["match"]["properties"].contains(key.name));
    CHECK_FALSE(entry.contains("speed"));
}

TEST_CASE("schema: objects are closed, and every reference leads somewhere") {
    const Schema schema = profile_schema();
    CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
    each_object(schema, [&](const Schema& node) {
        if (node.contains("properties") && node["properties"].is_object() && node.contains("type"))
            CHECK(node.contains("additionalProperties"));
        if (!node.contains("$ref")) return;
        const std::string target = node["$ref"].get<std::string>();
        INFO(target);
        CHECK(target.starts_with("#/$defs/"));
        CHECK(schema["$defs"].contains(target.substr(std::string("#/$defs/").size())));
    });
}

TEST_CASE("schema: a setting admits a variable") {
    const Schema schema = profile_schema();
    const Schema& mtu = schema["$defs"]["entry"]["properties"]["mtu"];
    CHECK(mtu["anyOf"][0]["minimum"] == 68);
    CHECK(mtu["anyOf"][1]["$ref"] == "#/$defs/variable");
    const Schema& link = schema["$defs"]["entry"]["properties"]["rdma.link"];
    CHECK(link.dump().find("\"null\"") != std::string::npos);
    const Schema& addresses = schema["$defs"]["entry"]["properties"]["addresses"];
    CHECK(addresses.dump().find("\"absent\"") != std::string::npos);
    CHECK(schema["$defs"]["roce"].dump().find("\"default\":26") != std::string::npos);
}

}  // namespace schema_test
