// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/model/selectors.hpp"
#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"

namespace rewrite_test {

using namespace core;

namespace {

std::string objection(const State& state, const Desired& desired) {
    StateFile kernel(state);
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::desired_values({desired})).findings)
        if (finding.level != Finding::Level::note) out += finding.text;
    return out;
}

Desired rewrite(std::uint64_t priority, std::uint64_t dscp) {
    return hosts::desired("dscp.rewrite", dscp, std::to_string(priority));
}

}  // namespace

TEST_CASE("dscp.rewrite: the old DSCP of a priority goes before the new one comes") {
    State state = hosts::host("generic");
    state.ports[0].rewrite->entries = {{AppEntry::dscp, 26, 3}, {AppEntry::pcp, 4, 4}};
    StateFile kernel(state);
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values({rewrite(3, 34), rewrite(6, 48)});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Commands{"dcb rewr del dev ens1f0 prio-dscp 3:26",
                                     "dcb rewr add dev ens1f0 prio-dscp 3:34",
                                     "dcb rewr add dev ens1f0 prio-dscp 6:48"});
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    // What rewrites PCP is nobody's desired value, and stays.
    CHECK(hosts::read_all(kernel).ports[0].rewrite->entries ==
          std::set<AppEntry>{
              {AppEntry::dscp, 34, 3}, {AppEntry::dscp, 48, 6}, {AppEntry::pcp, 4, 4}});
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("dscp.rewrite: a driver that does not, and a kernel that cannot") {
    CHECK(objection(hosts::host("mlx5_core"), rewrite(3, 26))
              .starts_with("mlx5_core writes no DSCP into packets"));
    State old = hosts::host("generic");
    old.ports[0].rewrite.reset();
    CHECK(objection(old, rewrite(3, 26)).starts_with("the kernel is older than Linux 6.3"));
}

TEST_CASE("dscp.trust: the order of a trust table, written whole and put back") {
    State state = hosts::host("generic");
    state.ports[0].app->trust = {AppEntry::pcp, AppEntry::dscp};
    StateFile kernel(state);
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("dscp.trust", std::string("dscp pcp"))});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Commands{"dcb apptrust set dev ens1f0 order dscp pcp"});
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(hosts::read_all(kernel).ports[0].app->trust ==
          std::vector<std::uint8_t>{AppEntry::dscp, AppEntry::pcp});
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("dscp.trust: a driver whose trust follows the map takes no order") {
    CHECK_FALSE(
        objection(hosts::host("mlx5_core"), hosts::desired("dscp.trust", std::string("dscp pcp")))
            .empty());
}

TEST_CASE("dscp.trust: words are selectors, each once, and none is an empty order") {
    using Order = std::vector<std::uint8_t>;
    CHECK(trust_order("none") == Order{});
    CHECK(trust_words({}) == "none");
    for (const char* words : {"dscp", "pcp dscp", "ethtype stream-port dgram-port port dscp pcp"})
        CHECK(trust_words(trust_order(words).value_or(Order{})) == words);
    for (const char* words : {"", " ", "dscp ", "dscp  pcp", "dscp dscp", "none dscp", "5", "DSCP"})
        CHECK_FALSE(trust_order(words).has_value());
}

}  // namespace rewrite_test
