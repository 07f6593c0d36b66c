// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace vf_test {

using namespace core;
using Lines = std::vector<std::string>;

namespace {

State host_with(VirtualFunctions vf, const std::string& driver = "mlx5_core") {
    State state = hosts::host(driver);
    state.ports[0].vf = std::move(vf);
    return state;
}

VirtualFunctions none() {
    return {.count = 0, .limit = 8};
}

VirtualFunctions two(const std::string& driver = "mlx5_core") {
    const auto device = [&driver](std::uint32_t number) {
        return VirtualDevice{.function = number,
                             .pci = "0000:5e:00." + std::to_string(number + 2),
                             .driver = driver};
    };
    return {.count = 2,
            .limit = 8,
            .functions = {{0, hosts::made_function("02:00:00:00:00:0a")},
                          {1, hosts::made_function("02:00:00:00:00:0b")}},
            .devices = {device(0), device(1)}};
}

Desired count(std::uint64_t number) {
    return hosts::desired("vf.count", number);
}

std::string said(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        out += finding.key + ' ' + finding.element + ": " + finding.text + "\n";
    return out;
}

Plan plan_of(const State& state, std::vector<Desired> desired_values) {
    StateFile kernel(state);
    return hosts::plan(kernel, hosts::desired_values(std::move(desired_values)));
}

void not_to_be(const State& state, std::vector<Desired> desired_values, const std::string& why) {
    const Plan plan = plan_of(state, std::move(desired_values));
    CHECK_FALSE(feasible(plan));
    CHECK(plan.steps.empty());
    INFO(said(plan));
    CHECK(said(plan).find(why) != std::string::npos);
}

}  // namespace

TEST_CASE("vf: they are made and given what is desired in one step, and taken away again") {
    const State state = host_with(none());
    StateFile kernel(state);
    const DesiredState desired_values = hosts::desired_values(
        {count(2), hosts::desired("vf.mac", std::string("02:00:00:00:00:01"), "0"),
         hosts::desired("vf.vlan", std::uint64_t{100}, "1"),
         hosts::desired("vf.qos", std::uint64_t{3}, "1"),
         hosts::desired("vf.max_tx_rate", std::uint64_t{10000}, "1"),
         hosts::desired("vf.trust", false, "1")});
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(plan.steps.size() == 1);
    CHECK_FALSE(plan.steps[0].irreversible);
    CHECK(commands(plan) == Lines{"echo 2 > /sys/class/net/ens1f0/device/sriov_numvfs",
                                  "ip link set dev ens1f0 vf 0 mac 02:00:00:00:00:01",
                                  "ip link set dev ens1f0 vf 1 vlan 100 qos 3 max_tx_rate 10000"});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(hosts::read_all(kernel).ports[0].vf->functions.at(1).trust == false);

    DesiredState back = undo_profile(plan);
    const Plan undo = hosts::plan(kernel, back);
    CHECK(commands(undo) == Lines{"echo 0 > /sys/class/net/ens1f0/device/sriov_numvfs"});
    CHECK(hosts::apply(kernel, back).status == Status::done);
    CHECK(hosts::read_all(kernel).ports[0].vf == none());
}

TEST_CASE("vf: ice checks the sources of those that it makes") {
    const Desired desired = hosts::desired("vf.spoofchk", true, "0");
    CHECK(commands(plan_of(host_with(none(), "ice"), {count(1), desired})).size() == 1);
    CHECK(commands(plan_of(host_with(none()), {count(1), desired})).size() == 2);
}

TEST_CASE("vf: another number takes all away, for good what is in use, and keeps what they had") {
    VirtualFunctions used = two();
    CHECK_FALSE(plan_of(host_with(used), {count(4)}).steps.at(0).irreversible);
    used.in_use = {"0000:5e:00.2"};
    const Plan plan = plan_of(host_with(used), {count(4)});
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].irreversible);
    CHECK(said(plan).find("vf.in_use 0000:5e:00.2: 0000:5e:00.2 goes") != std::string::npos);
    CHECK(said(plan).find("takes all 2 virtual functions away first") != std::string::npos);
    CHECK(commands(plan) == Lines{"echo 0 > /sys/class/net/ens1f0/device/sriov_numvfs",
                                  "echo 4 > /sys/class/net/ens1f0/device/sriov_numvfs",
                                  "ip link set dev ens1f0 vf 0 mac 02:00:00:00:00:0a",
                                  "ip link set dev ens1f0 vf 1 mac 02:00:00:00:00:0b"});
    CHECK(plan.predicted.ports[0].vf->functions.at(1).mac == "02:00:00:00:00:0b");
    CHECK(plan.predicted.ports[0].vf->functions.at(3).mac == "00:00:00:00:00:00");
}

TEST_CASE("vf: what the kernel and the device do not take is reported before anything is written") {
    const State state = host_with(two());
    not_to_be(state, {count(9)}, "the device can have 8 virtual functions");
    not_to_be(host_with(two("vfio-pci")), {count(0)},
              "virtual function 0 (0000:5e:00.2) is with vfio-pci");
    not_to_be(state, {hosts::desired("vf.trust", true, "2")},
              "there is no virtual function 2: vf.count is 2, and the first is 0");
    not_to_be(state, {hosts::desired("vf.mac", std::string("01:00:00:00:00:01"), "0")},
              "virtual function 0: 01:00:00:00:00:01 is a multicast address");
    not_to_be(state,
              {hosts::desired("vf.min_tx_rate", std::uint64_t{200}, "0"),
               hosts::desired("vf.max_tx_rate", std::uint64_t{100}, "0")},
              "vf.min_tx_rate is above vf.max_tx_rate");
    State child = state;
    child.ports[0].vf.reset();
    child.ports[0].link->function = "vf";
    not_to_be(child, {count(1)}, "the port is a virtual function itself");
}

TEST_CASE("vf: a node GUID takes the vendor's file") {
    const Desired guid =
        hosts::desired("vf.node_guid", std::string("00:11:22:33:44:55:66:7A"), "1");
    not_to_be(host_with(two()), {guid}, "the kernel sets GUIDs of InfiniBand ports alone");
    VirtualFunctions part = two();
    part.node_guids = true;
    const Plan plan = plan_of(host_with(part), {guid});
    CHECK(commands(plan) ==
          Lines{"echo 00:11:22:33:44:55:66:7a > /sys/class/net/ens1f0/device/sriov/1/node"});
    CHECK(said(plan).find("takes its MAC address and node GUID when it starts anew") !=
          std::string::npos);
    not_to_be(host_with(part), {hosts::desired("vf.node_guid", std::string("1234"), "1")},
              "node_guid is '1234', expected eight bytes as 00:11:22:33:44:55:66:77");
}

TEST_CASE("vf: they are named by their numbers") {
    CHECK(profiles::problems(profiles::entry(R"("vf": {"trust": {"first": true}})")).size() == 1);
    CHECK(
        profiles::problems(profiles::entry(R"("vf": {"count": 2, "trust": {"0": true}})")).empty());
}

}  // namespace vf_test
