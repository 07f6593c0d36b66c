// SPDX-License-Identifier: Apache-2.0
#include "core/profile/derivation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace derivation_test {

using namespace core;
using Names = std::vector<std::string>;

namespace {

std::map<std::string, Names> from_of(std::string_view driver) {
    std::map<std::string, Names> out;
    for (const Derivation& derivation : derivations(driver_named(driver))) {
        std::string key(derivation.desired.field->key);
        if (!derivation.desired.element.empty()) key += ' ' + derivation.desired.element;
        out[key] = derivation.from;
    }
    return out;
}

}  // namespace

TEST_CASE("derivation: every value names the keys that it changes with") {
    auto from = from_of("mlx5_core");
    CHECK(from["rdma.default_tos"] == Names{"roce.dscp", "roce.ecn"});
    CHECK(from["pfc.priorities"] == Names{"roce.priority"});
    CHECK(from["ets.bandwidth"] == Names{"roce.priority", "roce.cnp.priority", "roce.bandwidth"});
    CHECK(from["dscp.map 26"] == Names{"roce.priority", "roce.dscp", "roce.trust"});
    CHECK(from_of("ice")["dscp.map 48"] ==
          Names{"roce.cnp.priority", "roce.cnp.dscp", "roce.trust"});
    // Without CNPs it would have priority 6 all the same, by eights.
    CHECK(from["dscp.map 48"] == Names{"roce.cnp.priority", "roce.trust"});
    CHECK(from["rdma.default_mode"] == Names{"roce"});
    // With a class for RoCE, one for CNPs and one for the rest the shares stay where they are.
    CHECK(from_of("bnxt_en")["ets.bandwidth"] == Names{"roce.bandwidth"});
}

TEST_CASE(
    "derivation: the settings are those of derive, and its origin is among the keys or whole") {
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        Problems problems;
        const auto intent = read_intent(parse_tree("{}", "f", problems), "/roce", problems);
        REQUIRE(intent);
        const std::vector<Desired> desired_values = derive(*intent, driver).desired_values;
        const std::vector<Derivation> derived = derivations(driver);
        REQUIRE(derived.size() == desired_values.size());
        for (std::size_t i = 0; i < desired_values.size(); ++i) {
            INFO(driver.name, " ", desired_values[i].field->key);
            CHECK(derived[i].desired.field == desired_values[i].field);
            CHECK(derived[i].desired.value == desired_values[i].value);
            REQUIRE_FALSE(derived[i].from.empty());
        }
    }
}

TEST_CASE("derivation: what other drivers need and this one does not is said with their names") {
    const auto elsewhere = derived_elsewhere(driver_named("mlx5_core"));
    const auto at = [&](std::string_view key) {
        const auto found = std::ranges::find_if(
            elsewhere, [&](const Elsewhere& other) { return other.field->key == key; });
        Names out;
        if (found != elsewhere.end())
            for (const Driver* const driver : found->drivers)
                out.emplace_back(driver->name);
        return out;
    };
    CHECK(at("app.udp") == Names{"bnxt_en"});
    CHECK(at("private_flags") == Names{"ice", "ice-e82x"});
    for (const Elsewhere& other : derived_elsewhere(driver_named("bnxt_en")))
        CHECK(other.field->key != "app.udp");
}

}  // namespace derivation_test
