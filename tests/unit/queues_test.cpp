// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>

#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"

namespace queues_test {

using namespace core;

namespace {

/// What a plan for one desired value says against it; empty where it is feasible.
std::string objection(const std::string& driver, const Desired& desired) {
    StateFile kernel(hosts::host(driver));
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::desired_values({desired})).findings)
        out += finding.text;
    return out;
}

}  // namespace

TEST_CASE("rings: a size outside of what the port takes is refused with what it takes") {
    const auto why = [](const std::string& driver, std::uint64_t size) {
        return objection(driver, hosts::desired("ring.tx", size));
    };
    CHECK(why("ice", 8192) ==
          "expected 8192, found 1024 (test.json:1): the port takes 64..4096 "
          "for ring.tx");
    CHECK(why("hns3", 64).ends_with("the port takes 72..4096 for ring.tx"));
    CHECK(why("mlx5_core", 32).ends_with("the port takes 64..4096 for ring.tx"));
    CHECK(why("bnxt_en", 18).ends_with("the port takes 19..4096 for ring.tx"));
    CHECK(why("generic", 1).empty());
}

TEST_CASE("rings: a size that the driver would round is refused with what it would become") {
    const auto why = [](const std::string& driver, std::uint64_t size) {
        return objection(driver, hosts::desired("ring.rx", size));
    };
    CHECK(why("mlx5_core", 1000)
              .ends_with("mlx5_core takes powers of two for ring.rx, and would make it 1024"));
    CHECK(why("ice", 1000)
              .ends_with("ice takes multiples of 32 for ring.rx, and would make it 1024"));
    CHECK(why("hns3", 1001)
              .ends_with("hns3 takes multiples of 8 for ring.rx, and would make it 1008"));
    CHECK(why("bnxt_en", 1001).empty());
    CHECK(why("ice", 2048).empty());
}

TEST_CASE("rings: a port without a ring of the kind says so") {
    State state = hosts::host("ice");
    state.ports[0].ring->tx.reset();
    StateFile kernel(state);
    const Plan plan =
        hosts::plan(kernel, hosts::desired_values({hosts::desired("ring.tx", Value(512UL))}));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].text == "the driver does not report ring.tx, desired 512 (test.json:1)");
}

TEST_CASE("rings: one write for both, spelled as ethtool takes it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Plan plan =
        hosts::plan(kernel, hosts::desired_values({hosts::desired("ring.rx", Value(8192UL)),
                                                   hosts::desired("ring.tx", Value(4096UL))}));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::queues);
    CHECK(commands(plan) == Commands{"ethtool --set-ring ens1f0 rx 8192 tx 4096"});
}

TEST_CASE("channels: what the port does not have is refused with what it has") {
    const auto why = [](const std::string& driver, const std::string& key, std::uint64_t count) {
        return objection(driver, hosts::desired(key, count));
    };
    CHECK(why("mlx5_core", "channels.combined", 9) ==
          "expected 9, found 8 (test.json:1): channels.combined is at most 8 on this port");
    CHECK(why("mlx5_core", "channels.combined", 0)
              .ends_with("no channel would be left to receive or to transmit"));
    CHECK(why("mlx5_core", "channels.rx", 1) ==
          "the driver does not report channels.rx, desired 1 (test.json:1)");
    CHECK(why("bnxt_en", "channels.rx", 1)
              .ends_with("bnxt_en has either combined channels or separate ones"));
    CHECK(why("ice", "channels.rx", 1).empty());
    CHECK(why("hns3", "channels.combined", 4).empty());
}

TEST_CASE("channels: on ice they wait for the NIC's RDMA driver to go, not for a soft device") {
    State state = hosts::host("ice");
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("channels.combined", Value(4UL))});
    state.ports[0].rdma_link = RdmaLink{.device = "rxe0", .index = 1, .type = "rxe"};
    StateFile soft(state);
    CHECK(hosts::apply(soft, desired_values).status == Status::done);
    state.ports[0].rdma_link = RdmaLink{.device = "rocep59s0", .index = 1};
    StateFile hard(state);
    const Plan plan = hosts::plan(hard, desired_values);
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].text ==
          "expected 4, found 8 (test.json:1): ice keeps its channels while rocep59s0 is there; "
          "unload the NIC's RDMA driver first");
}

TEST_CASE("channels: from combined to separate ones in one write") {
    StateFile kernel(hosts::host("bnxt_en"));
    const Plan plan =
        hosts::plan(kernel, hosts::desired_values({hosts::desired("channels.combined", Value(0UL)),
                                                   hosts::desired("channels.rx", Value(4UL)),
                                                   hosts::desired("channels.tx", Value(2UL))}));
    CHECK(feasible(plan));
    CHECK(commands(plan) == Commands{"ethtool --set-channels ens1f0 rx 4 tx 2 combined 0"});
}

TEST_CASE("private flags: an unknown name is refused with the names that exist") {
    CHECK(objection("ice", hosts::desired("private_flags", true, "fw-lldp")) ==
          "expected on, found nothing (test.json:1): the driver has no flag 'fw-lldp', only "
          "fw-lldp-agent, link-down-on-close");
}

TEST_CASE("private flags: stopping ice's agent gives DCBX to the host, and undo gives it back") {
    State state = hosts::host("ice");
    Port& port = state.ports[0];
    port.private_flags->at("fw-lldp-agent") = true;
    port.dcbx->bits = Dcbx::lld_managed | Dcbx::ieee;
    StateFile kernel(state);
    const State before = hosts::read_all(kernel);
    DesiredState desired_values = hosts::lossless("ice");
    desired_values.desired_values.push_back(
        hosts::desired("private_flags", false, "fw-lldp-agent"));
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(feasible(plan));
    CHECK(plan.steps.front().object == Object::private_flags);
    CHECK(plan.steps.front().disruption == Disruption::link);
    CHECK(commands(plan).front() == "ethtool --set-priv-flags ens1f0 fw-lldp-agent off");
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("private flags: ice's agent is not started while a DSCP is mapped") {
    State state = hosts::host("ice");
    state.ports[0].app->entries = {{AppEntry::dscp, 26, 3}};
    StateFile kernel(state);
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({hosts::desired("private_flags", true, "fw-lldp-agent")}));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].text.ends_with("the NIC's agent does not start while a DSCP is mapped"));
}

}  // namespace queues_test
