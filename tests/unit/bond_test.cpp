// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/plan/stake.hpp"
#include "tests/unit/hosts.hpp"

namespace bond_test {

using namespace core;

namespace {

State member(const std::string& driver) {
    State state = hosts::host(driver);
    state.ports[0].link->master = "bond0";
    state.ports[0].link->master_kind = "bond";
    return state;
}

Plan plan_of(const State& state, const Wish& wish) {
    StateFile kernel(state);
    return hosts::plan(kernel, hosts::wishes({wish}));
}

std::string said(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        out += finding.text + "; " + finding.remedy;
    return out;
}

}  // namespace

TEST_CASE("bond: ice refuses DCB of a member, the others carry it") {
    const Wish pfc = hosts::wish("pfc.priorities", Numbers{3});
    const Plan refused = plan_of(member("ice"), pfc);
    CHECK_FALSE(feasible(refused));
    CHECK(said(refused).find("member of bond0, and ice refuses DCB then") != std::string::npos);
    CHECK(feasible(plan_of(member("mlx5_core"), pfc)));
    State bridged = member("ice");
    bridged.ports[0].link->master_kind = "bridge";
    CHECK(feasible(plan_of(bridged, pfc)));
}

TEST_CASE("bond: MTU and addresses of a member are told to be the bond's") {
    const Plan mtu = plan_of(member("mlx5_core"), hosts::wish("mtu", std::uint64_t{9000}));
    CHECK(said(mtu).find("state mtu for bond0") != std::string::npos);
    const Plan address =
        plan_of(member("mlx5_core"), hosts::wish("addresses", std::string("10.0.0.1/24")));
    CHECK(said(address).find("state addresses for bond0") != std::string::npos);
    const Plan gone = plan_of(member("mlx5_core"), hosts::no_wish("addresses", "198.18.0.1"));
    CHECK(said(gone).find("bond0") == std::string::npos);
}

TEST_CASE("bond: what the bond has not of its own is named with the place for it") {
    Port bond("ens1f0");
    bond.link = Link{.kind = "bond", .up = true, .mtu = 1500};
    const State state{.ports = {bond}};
    CHECK(said(plan_of(state, hosts::wish("pfc.priorities", Numbers{3})))
              .ends_with("state it for the members of ens1f0"));
    State vlan = state;
    vlan.ports[0].link = Link{.kind = "vlan", .lower = "ens2", .up = true, .mtu = 1500};
    CHECK(said(plan_of(vlan, hosts::wish("pfc.priorities", Numbers{3})))
              .ends_with("state it for ens2"));
    State lost = member("mlx5_core");
    lost.ports[0].rdma_link = RdmaLink{};
    CHECK(said(plan_of(lost, hosts::wish("rdma.default_tos", std::uint64_t{106})))
              .ends_with("state it for bond0"));
}

TEST_CASE("bond: what follows from an intent and is not the port's own to hold is a note") {
    State lost = member("mlx5_core");
    lost.ports[0].rdma_link = RdmaLink{};
    Wish wish = hosts::wish("rdma.default_tos", std::uint64_t{106});
    CHECK_FALSE(feasible(plan_of(lost, wish)));
    wish.origin.derived_from = "roce.dscp";
    CHECK(feasible(plan_of(lost, wish)));
    CHECK(said(plan_of(lost, wish)).ends_with("state it for bond0"));
    lost.ports[0].link->master_kind = "";
    CHECK_FALSE(feasible(plan_of(lost, wish)));
}

TEST_CASE("bond: its MTU is that of every member, and costs what it costs the worst of them") {
    State state = member("ice");
    Port bond("bond0");
    bond.link = Link{.kind = "bond", .up = true, .mtu = 1500};
    bond.link->carrier = true;
    state.ports.push_back(bond);
    const Wishes wishes{.ports = {"bond0"},
                        .wishes = {hosts::wish("mtu", std::uint64_t{9000}, "", "bond0")}};
    const Scope scope = scope_of(wishes, state);
    CHECK(scope.ports == std::vector<std::string>{"bond0", "ens1f0"});
    StateFile kernel(state);
    const Plan plan = make_plan(wishes, kernel.read(scope));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::link);
    CHECK(find_port(plan.predicted, "ens1f0")->link->mtu == 9000);

    State stakes = state;
    stakes.ports[0].queue_pairs = QueuePairs{{"nvme_rdma (kernel)", 4}};
    CHECK(stake_scope(plan).ports == std::vector<std::string>{"bond0", "ens1f0"});
    REQUIRE(held_ports(plan, stakes).size() == 1);
    CHECK(held_ports(plan, stakes)[0].starts_with("ens1f0: queue pairs are in use"));
    CHECK(core::apply(kernel, wishes, plan).status == Status::done);
    CHECK(hosts::apply(kernel, past(plan)).status == Status::done);
    CHECK(find_port(kernel.state(), "ens1f0")->link->mtu == 1500);

    State small = state;
    small.ports[0].link->mtu_max = 4000;  // the member refuses, and so does the bond
    StateFile other(small);
    CHECK_FALSE(feasible(make_plan(wishes, other.read(scope))));
    CHECK(find_port(other.state(), "ens1f0")->link->mtu == 1500);
}

}  // namespace bond_test
