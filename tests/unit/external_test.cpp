// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/profile/profile.hpp"
#include "tests/unit/hosts.hpp"

namespace external_test {

using namespace core;

TEST_CASE("external: verified, never written, and a failure where it differs") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Wish pfc = hosts::wish("pfc.priorities", Numbers{3});
    Wish mtu = hosts::wish("mtu", std::uint64_t{9000});
    mtu.external = true;
    const Plan plan = hosts::plan(kernel, hosts::wishes({mtu, pfc}));
    CHECK_FALSE(feasible(plan));
    REQUIRE(plan.findings.size() >= 1);
    CHECK(plan.findings[0].id == "external");
    CHECK(plan.findings[0].text.find("expected 9000, found 1500") != std::string::npos);
    for (const Step& step : plan.steps)
        CHECK(step.object != Object::link);
    mtu.optional = true;
    CHECK(feasible(hosts::plan(kernel, hosts::wishes({mtu, pfc}))));
    mtu.optional = false;
    mtu.value = std::uint64_t{1500};
    CHECK(satisfied(hosts::plan(kernel, hosts::wishes({mtu}))));
}

TEST_CASE("external: stated in an entry of a profile") {
    const std::string text = R"({"format": 1, "name": "x", "ports": [{"match": {"name": "ens1f0"},
        "mtu": 9000, "pfc": {"priorities": [3]}, "external": ["mtu"]}]})";
    const Profile profile = load_profile({.name = "x.json", .text = text}, nullptr);
    const Wishes wishes = resolve(profile, {}, hosts::host("mlx5_core"));
    REQUIRE(wishes.wishes.size() == 2);
    for (const Wish& wish : wishes.wishes)
        CHECK(wish.external == (wish.field->key == "mtu"));
}

}  // namespace external_test
