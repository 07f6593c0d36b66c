// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "cli/views/intent.hpp"
#include "core/checks/catalogue.hpp"
#include "core/model/field.hpp"
#include "core/profile/glossary.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/roce_intent.hpp"

namespace glossary_test {

using namespace core;

namespace {

bool is_key(const std::string& key) {
    const std::vector<ProfileKey> keys = profile_keys();
    return find_field(key) != nullptr || cli::is_intent_key(key) ||
           std::ranges::find(keys, key, &ProfileKey::name) != keys.end();
}

}  // namespace

TEST_CASE("terms: each key of one is there, and a word is nothing else's name") {
    std::set<std::string_view> names;
    for (const GlossaryEntry& term : glossary()) {
        const std::string name(term.name);
        INFO(name);
        CHECK(names.insert(term.name).second);
        CHECK_FALSE(term.keys.empty());
        for (const std::string_view key : term.keys) {
            INFO(key);
            CHECK(is_key(std::string(key)));
        }
        CHECK(term.doc.ends_with('.'));
        CHECK_FALSE(is_key(name));
        CHECK(find_finding(name) == nullptr);
        CHECK(find_glossary_entry(name) == &term);
    }
    CHECK(find_glossary_entry("tRaFfIc ClAsS") == find_glossary_entry("traffic class"));
    CHECK(find_glossary_entry("pf") == nullptr);
    CHECK(find_glossary_entry("") == nullptr);
}

}  // namespace glossary_test
