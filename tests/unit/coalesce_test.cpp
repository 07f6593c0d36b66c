// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"

namespace coalesce_test {

using namespace core;

namespace {

Desired number(const std::string& key, std::uint64_t value) {
    return hosts::desired("coalesce." + key, value);
}
Desired on(const std::string& key, bool value) {
    return hosts::desired("coalesce." + key, value);
}

State adaptive(const std::string& driver) {
    State state = hosts::host(driver);
    state.ports[0].coalesce->rx = {
        .adaptive = true, .cqe = true, .idle_usecs = 8, .idle_frames = 128};
    return state;
}

std::string objection(const State& state, std::vector<Desired> desired_values) {
    StateFile kernel(state);
    std::string out;
    for (const Finding& finding :
         hosts::plan(kernel, hosts::desired_values(std::move(desired_values))).findings)
        out += finding.text;
    return out;
}

/// The commands, after a check that applying them is what was foreseen and can be undone.
Commands done_and_undone(const State& state, std::vector<Desired> some) {
    StateFile kernel(state);
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values(std::move(some));
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(feasible(plan));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption <= Disruption::unknown);
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    return commands(plan);
}

}  // namespace

TEST_CASE("coalesce: a number, beside those that stay") {
    CHECK(done_and_undone(hosts::host("mlx5_core"), {number("rx_usecs", 8)}) ==
          Commands{"ethtool --coalesce ens1f0 rx-usecs 8"});
}

TEST_CASE("coalesce: how the driver counts goes in front of the numbers") {
    CHECK(done_and_undone(adaptive("mlx5_core"), {on("adaptive_rx", false), number("rx_usecs", 64),
                                                  on("cqe_mode_tx", false)}) ==
          Commands{"ethtool --coalesce ens1f0 adaptive-rx off cqe-mode-tx off",
                   "ethtool --coalesce ens1f0 rx-usecs 64 rx-frames 128"});
}

TEST_CASE("coalesce: what is read while the driver chooses is none, and comes back with undo") {
    const State state = hosts::host("generic");
    CHECK(done_and_undone(state, {on("adaptive_rx", true)}) ==
          Commands{"ethtool --coalesce ens1f0 adaptive-rx on"});
    StateFile kernel(adaptive("generic"));
    const Port port = hosts::read_all(kernel).ports[0];
    CHECK(find_field("coalesce.rx_usecs")->get(port) == Elements{});
}

TEST_CASE("coalesce: a number that the driver chooses is never met, and never in silence") {
    CHECK(objection(adaptive("generic"), {number("rx_usecs", 8)}) ==
          "expected 8, found nothing (test.json:1): the driver chooses coalesce.rx_usecs while "
          "coalesce.adaptive_rx is on");
    CHECK(objection(hosts::host("generic"), {on("adaptive_rx", true), number("rx_usecs", 8)})
              .find("the driver chooses coalesce.rx_usecs while coalesce.adaptive_rx is on") !=
          std::string::npos);
    CHECK(objection(hosts::host("generic"), {hosts::no_desired("coalesce.tx_usecs", "")})
              .ends_with("coalesce.tx_usecs is absent only while the driver chooses it"));
}

TEST_CASE("coalesce: what a driver does not take is refused with what it takes") {
    const auto why = [](const std::string& driver, std::uint64_t usecs) {
        return objection(hosts::host(driver), {number("rx_usecs", usecs)});
    };
    CHECK(why("mlx5_core", 4096).ends_with("the port takes up to 4095 for coalesce.rx_usecs"));
    CHECK(why("ice", 8161).ends_with("the port takes up to 8160 for coalesce.rx_usecs"));
    CHECK(why("hns3", 8161).ends_with("the port takes up to 8160 for coalesce.rx_usecs"));
    CHECK(why("generic", 100000).empty());
    CHECK(objection(hosts::host("ice"), {number("rx_frames", 8)}) ==
          "the driver does not report coalesce.rx_frames, desired 8 (test.json:1)");
}

}  // namespace coalesce_test
