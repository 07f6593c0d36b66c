// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/plan/owners.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace bond_test {

using namespace core;

namespace {

State member(const std::string& driver) {
    State state = hosts::host(driver);
    state.ports[0].link->master = "bond0";
    state.ports[0].link->master_kind = "bond";
    return state;
}

Plan plan_of(const State& state, const Desired& desired) {
    StateFile kernel(state);
    return hosts::plan(kernel, hosts::desired_values({desired}));
}

std::string said(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        out += finding.text + "; " + finding.remedy;
    return out;
}

}  // namespace

TEST_CASE("bond: ice refuses DCB of a member, the others carry it") {
    const Desired pfc = hosts::desired("pfc.priorities", Numbers{3});
    const Plan refused = plan_of(member("ice"), pfc);
    CHECK_FALSE(feasible(refused));
    CHECK(said(refused).find("member of bond0, and ice refuses DCB then") != std::string::npos);
    CHECK(feasible(plan_of(member("mlx5_core"), pfc)));
    State bridged = member("ice");
    bridged.ports[0].link->master_kind = "bridge";
    CHECK(feasible(plan_of(bridged, pfc)));
}

TEST_CASE("bond: MTU and addresses of a member are told to be the bond's") {
    const Plan mtu = plan_of(member("mlx5_core"), hosts::desired("mtu", std::uint64_t{9000}));
    CHECK(said(mtu).find("state mtu for bond0") != std::string::npos);
    const Plan address =
        plan_of(member("mlx5_core"), hosts::desired("addresses", std::string("10.0.0.1/24")));
    CHECK(said(address).find("state addresses for bond0") != std::string::npos);
    const Plan gone = plan_of(member("mlx5_core"), hosts::no_desired("addresses", "198.18.0.1"));
    CHECK(said(gone).find("bond0") == std::string::npos);
}

TEST_CASE("bond: what the bond has not of its own is named with the place for it") {
    Port bond("ens1f0");
    bond.link = Link{.kind = "bond", .up = true, .mtu = 1500};
    const State state{.ports = {bond}};
    CHECK(said(plan_of(state, hosts::desired("pfc.priorities", Numbers{3})))
              .ends_with("state it for the members of ens1f0"));
    State vlan = state;
    vlan.ports[0].link = Link{.kind = "vlan", .lower = "ens2", .up = true, .mtu = 1500};
    CHECK(said(plan_of(vlan, hosts::desired("pfc.priorities", Numbers{3})))
              .ends_with("state it for ens2"));
    State lost = member("mlx5_core");
    lost.ports[0].rdma_link = RdmaLink{};
    CHECK(said(plan_of(lost, hosts::desired("rdma.default_tos", std::uint64_t{106})))
              .ends_with("state it for bond0"));
}

TEST_CASE("bond: what follows from an intent and is not the port's own to hold is a note") {
    State lost = member("mlx5_core");
    lost.ports[0].rdma_link = RdmaLink{};
    Desired desired = hosts::desired("rdma.default_tos", std::uint64_t{106});
    CHECK_FALSE(feasible(plan_of(lost, desired)));
    desired.origin.derived_from = "roce.dscp";
    CHECK(feasible(plan_of(lost, desired)));
    CHECK(said(plan_of(lost, desired)).ends_with("state it for bond0"));
    lost.ports[0].link->master_kind = "";
    CHECK_FALSE(feasible(plan_of(lost, desired)));
}

TEST_CASE("bond: its MTU is that of every member, and costs what it costs the worst of them") {
    State state = member("ice");
    Port bond("bond0");
    bond.link = Link{.kind = "bond", .up = true, .mtu = 1500};
    bond.link->carrier = true;
    state.ports.push_back(bond);
    const DesiredState desired_values{
        .ports = {"bond0"},
        .desired_values = {hosts::desired("mtu", std::uint64_t{9000}, "", "bond0")}};
    const Scope scope = scope_of(desired_values, state);
    CHECK(scope.ports == std::vector<std::string>{"bond0", "ens1f0"});
    StateFile kernel(state);
    const Plan plan = make_plan(desired_values, kernel.read(scope));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::link);
    CHECK(find_port(plan.predicted, "ens1f0")->link->mtu == 9000);

    State owners = state;
    owners.ports[0].queue_pairs = QueuePairs{{"nvme_rdma (kernel)", 4}};
    CHECK(owner_scope(plan).ports == std::vector<std::string>{"bond0", "ens1f0"});
    REQUIRE(held_ports(plan, owners).size() == 1);
    CHECK(held_ports(plan, owners)[0].starts_with("ens1f0: queue pairs are in use"));
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(find_port(kernel.state(), "ens1f0")->link->mtu == 1500);

    State small = state;
    small.ports[0].link->mtu_max = 4000;  // the member refuses, and so does the bond
    StateFile other(small);
    CHECK_FALSE(feasible(make_plan(desired_values, other.read(scope))));
    CHECK(find_port(other.state(), "ens1f0")->link->mtu == 1500);
}

TEST_CASE("bond: match.mac finds a member by the address that is its own") {
    State state = hosts::host("mlx5_core");
    state.ports.push_back(hosts::port("mlx5_core", "ens1f1"));
    using Names = std::vector<std::string>;
    const std::string own[] = {"0c:42:a1:00:00:01", "0c:42:a1:00:00:02"};
    for (std::size_t i = 0; i < 2; ++i) {
        state.ports[i].link->mac = own[0];
        state.ports[i].link->permanent_mac = own[i];
        state.ports[i].link->master = "bond0";
        state.ports[i].link->master_kind = "bond";
    }
    Port bond("bond0");
    bond.link = Link{.mac = own[0], .kind = "bond"};
    state.ports.push_back(bond);
    const auto matched = [&](const std::string& mac) {
        return resolve(profiles::load(profiles::entry(R"("mtu": 9000)", R"("mac": ")" + mac + '"')),
                       {}, state)
            .ports;
    };
    CHECK(matched(own[0]) == Names{"ens1f0", "bond0"});
    CHECK(matched("0C-42-A1-00-00-02") == Names{"ens1f1"});
    // A virtual device has no address of its own, and any other goes by the one that it has.
    state.ports[1].link->permanent_mac.clear();
    CHECK(matched(own[0]).size() == 3);
    state.ports[0].link->master_kind.clear();
    state.ports[0].link->mac = "02:00:00:00:00:07";
    CHECK(matched("02:00:00:00:00:07") == Names{"ens1f0"});
}

}  // namespace bond_test
