// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/hosts.hpp"

namespace features_test {

using namespace core;

namespace {

Desired feature(const std::string& name, bool on) {
    return hosts::desired("features", on, name);
}

std::string objection(const Desired& desired) {
    StateFile kernel(hosts::host("generic"));
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::desired_values({desired})).findings)
        out += finding.text;
    return out;
}

}  // namespace

TEST_CASE("features: what cannot be is refused by name") {
    CHECK(objection(feature("tx-lockless", true)) ==
          "expected on, found off (test.json:1): tx-lockless is fixed off");
    CHECK(objection(feature("tso", false)) ==
          "expected off, found nothing (test.json:1): the kernel has no offload 'tso'; ethtool "
          "--show-features lists them");
    CHECK(objection(feature("tx-lockless", false)).empty());
}

TEST_CASE("features: one that cannot be does not answer for the others of its group") {
    StateFile kernel(hosts::host("generic"));
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({feature("rx-gro", false), feature("none-such", true)}));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings.front().element == "none-such");
    CHECK(plan.findings.front().text.find("the kernel has no offload 'none-such'") !=
          std::string::npos);
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps.front().changes.front().element == "rx-gro");
}

TEST_CASE("features: what goes off with another is predicted, and comes back with undo") {
    StateFile kernel(hosts::host("generic"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({feature("tx-scatter-gather", false)});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Commands{"ethtool --features ens1f0 tx-scatter-gather off"});
    const Report report = core::apply(kernel, desired_values, plan);
    CHECK(report.status == Status::done);
    const Features after = *hosts::read_all(kernel).ports[0].features;
    CHECK_FALSE(after.active.at("tx-tcp-segmentation"));
    CHECK(after.requested == Flags{{"tx-tcp-segmentation", true}});
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::read_all(kernel) == before);
}

TEST_CASE("features: one that needs another is refused without it, and taken with it") {
    State state = hosts::host("generic");
    state.ports[0].features->active["tx-scatter-gather"] = false;
    state.ports[0].features->active["tx-tcp-segmentation"] = false;
    StateFile kernel(state);
    const Plan alone =
        hosts::plan(kernel, hosts::desired_values({feature("tx-tcp-segmentation", true)}));
    REQUIRE(alone.findings.size() == 1);
    CHECK(alone.findings[0].text.ends_with("tx-tcp-segmentation needs tx-scatter-gather"));
    const DesiredState both = hosts::desired_values(
        {feature("tx-tcp-segmentation", true), feature("tx-scatter-gather", true)});
    CHECK(hosts::apply(kernel, both).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, both)));
}

}  // namespace features_test
