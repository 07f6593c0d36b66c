// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "cli/views/text.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"
#include "tests/unit/hosts.hpp"

namespace external_test {

using namespace core;

TEST_CASE("external: verified, never written, and a failure where it differs") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Desired pfc = hosts::desired("pfc.priorities", Numbers{3});
    Desired mtu = hosts::desired("mtu", std::uint64_t{9000});
    mtu.external = true;
    const Plan plan = hosts::plan(kernel, hosts::desired_values({mtu, pfc}));
    CHECK(feasible(plan));
    CHECK_FALSE(satisfied(plan));
    REQUIRE(plan.findings.size() >= 1);
    CHECK(plan.findings[0].id == "external");
    CHECK(plan.findings[0].text.find("expected 9000, found 1500") != std::string::npos);
    for (const Step& step : plan.steps)
        CHECK(step.object != Object::link);
    mtu.value = std::uint64_t{1500};
    CHECK(satisfied(hosts::plan(kernel, hosts::desired_values({mtu}))));
}

TEST_CASE("external: the rest is applied, and what is left keeps the run from being green") {
    StateFile kernel(hosts::host("mlx5_core"));
    Desired mtu = hosts::desired("mtu", std::uint64_t{9000});
    mtu.external = true;
    const DesiredState desired_values =
        hosts::desired_values({mtu, hosts::desired("pfc.priorities", Numbers{3})});
    const Report report = hosts::apply(kernel, desired_values);
    CHECK(report.status == Status::differs);
    CHECK(hosts::read_all(kernel).ports[0].pfc->priorities == 1U << 3U);
    CHECK(hosts::read_all(kernel).ports[0].link->mtu == 1500);
    CHECK(cli::report_text(report, {}).ends_with("1 port, 1 setting; 1 value for others to set\n"));
    const Plan rest = hosts::plan(kernel, desired_values);
    CHECK(nothing_left(rest));
    CHECK(leave_as_is(kernel, desired_values, rest, {}).status == Status::differs);
}

TEST_CASE("external: what cannot be read is not known, and keeps nothing from being applied") {
    State state = hosts::host("mlx5_core");
    state.ports[0].pause.reset();
    state.ports[0].refused.emplace(Object::pause, Refusal{.code = 5, .text = "Input/output error"});
    StateFile kernel(state);
    Desired pause = hosts::desired("pause.rx", false);
    pause.external = true;
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({pause, hosts::desired("mtu", std::uint64_t{9000})}));
    CHECK(feasible(plan));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].id == "external");
    CHECK(plan.findings[0].level == Finding::Level::unknown);
}

TEST_CASE("external: stated in an entry of a profile") {
    const std::string text = R"({"format": 1, "name": "x", "ports": [{"match": {"name": "ens1f0"},
        "mtu": 9000, "pfc": {"priorities": [3]}, "external": ["mtu"]}]})";
    const Profile profile = load_profile({.name = "x.json", .text = text}, nullptr);
    const DesiredState desired_values = resolve(profile, {}, hosts::host("mlx5_core"));
    REQUIRE(desired_values.desired_values.size() == 2);
    for (const Desired& desired : desired_values.desired_values)
        CHECK(desired.external == (desired.field->key == "mtu"));
}

}  // namespace external_test
