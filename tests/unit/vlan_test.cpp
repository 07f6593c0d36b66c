// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace vlan_test {

using namespace core;
using profiles::desired;
using profiles::entry;

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kChild = R"("mtu": 9000, "vlans": {"100": {"mtu": 9000,
    "addresses": ["10.100.0.1/24"], "egress_priority": {"3": 3},
    "routes": [{"to": "10.0.0.0/8", "via": "10.100.0.254", "table": 101}]}})";

DesiredState desired_for(const std::string& settings, const State& state) {
    return resolve(profiles::load(entry(settings + R"(, "expect": 1)", R"("name": "ens*")")), {},
                   state);
}

/// As a command reads: what the desired values need, and no more.
Plan plan_for(StateFile& kernel, const DesiredState& desired_values) {
    return make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
}

std::string failures(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        if (finding.level == Finding::Level::failure) out += finding.text + "; ";
    return out;
}

}  // namespace

TEST_CASE("vlan: a child is made with all that is its own, and undo takes it away") {
    StateFile kernel(hosts::host("mlx5_core"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = desired_for(kChild, kernel.state());
    CHECK(desired_values.ports == Lines{"ens1f0", "ens1f0.100"});
    const Plan plan = plan_for(kernel, desired_values);
    CHECK(failures(plan) == "");
    CHECK(commands(plan) ==
          Lines{"ip link set dev ens1f0 mtu 9000",
                "ip link add link ens1f0 name ens1f0.100 type vlan id 100 egress-qos-map 3:3",
                "ip link set dev ens1f0.100 up", "ip address add 10.100.0.1/24 dev ens1f0.100",
                "ip route add 10.0.0.0/8 via 10.100.0.254 dev ens1f0.100 table 101 scope global "
                "proto static"});
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(plan_for(kernel, desired_values)));
    const State made = hosts::read_all(kernel);
    REQUIRE(find_port(made, "ens1f0.100") != nullptr);
    CHECK(find_port(made, "ens1f0.100")->link->mac == made.ports[0].link->mac);

    const DesiredState back = undo_profile(plan);
    CHECK(core::apply(kernel, back, plan_for(kernel, back)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    CHECK(find_port(hosts::read_all(kernel), "ens1f0.100") == nullptr);
}

TEST_CASE("vlan: each write that is refused leads back to a host without the child") {
    for (const Object object : {Object::vlan, Object::addresses, Object::routes}) {
        StateFile kernel(hosts::host("mlx5_core"));
        const State before = hosts::read_all(kernel);
        kernel.refuse(object, {.code = 5, .text = "Input/output error"});
        const DesiredState desired_values = desired_for(kChild, kernel.state());
        const Report report = core::apply(kernel, desired_values, plan_for(kernel, desired_values));
        CHECK(report.status == Status::brought_back);
        CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
        CHECK(find_port(hosts::read_all(kernel), "ens1f0.100") == nullptr);
    }
}

TEST_CASE("vlan: how a new child behaves for IP is stated with it, and undone with it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const State before = hosts::read_all(kernel);
    REQUIRE(before.ports[0].ipv4);
    const DesiredState desired_values = desired_for(
        R"("vlans": {"100": {"addresses": ["10.100.0.1/24"],
            "ip": {"arp_ignore": 1, "rp_filter": 0, "addr_gen_mode": "none"}}})",
        kernel.state());
    const Plan plan = plan_for(kernel, desired_values);
    CHECK(failures(plan) == "");
    CHECK(commands(plan) == Lines{"ip link add link ens1f0 name ens1f0.100 type vlan id 100",
                                  "sysctl -w net/ipv4/conf/ens1f0.100/arp_ignore=1",
                                  "sysctl -w net/ipv6/conf/ens1f0.100/addr_gen_mode=1",
                                  "ip link set dev ens1f0.100 up",
                                  "ip address add 10.100.0.1/24 dev ens1f0.100"});
    const Report report = core::apply(kernel, desired_values, plan);
    CHECK(report.status == Status::done);
    CHECK(report.surprises.empty());
    CHECK(satisfied(plan_for(kernel, desired_values)));
    const DesiredState back = undo_profile(plan);
    CHECK(core::apply(kernel, back, plan_for(kernel, back)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    for (const Object object : {Object::ipv4, Object::ipv6, Object::link, Object::addresses}) {
        INFO(row_of(object).name);
        StateFile refusing(before);
        refusing.refuse(object, {.code = 5, .text = "Input/output error"});
        CHECK(core::apply(refusing, desired_values, plan_for(refusing, desired_values)).status ==
              Status::brought_back);
        CHECK(hosts::difference(before, hosts::read_all(refusing)) == "");
    }
}

TEST_CASE("vlan: null takes a child away, and undo brings it back with what it had") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values = desired_for(kChild, kernel.state());
    REQUIRE(core::apply(kernel, desired_values, plan_for(kernel, desired_values)).status ==
            Status::done);
    const State before = hosts::read_all(kernel);
    const DesiredState none = desired_for(R"("vlans": {"100": null})", kernel.state());
    const Plan plan = plan_for(kernel, none);
    CHECK(commands(plan) == Lines{"ip link delete dev ens1f0.100"});
    CHECK(core::apply(kernel, none, plan).status == Status::done);
    CHECK(satisfied(plan_for(kernel, none)));
    const DesiredState back = undo_profile(plan);
    CHECK(core::apply(kernel, back, plan_for(kernel, back)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("vlan: maps change in place") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values = desired_for(kChild, kernel.state());
    REQUIRE(core::apply(kernel, desired_values, plan_for(kernel, desired_values)).status ==
            Status::done);
    const DesiredState other = desired_for(
        R"("vlans": {"100": {"egress_priority": {"3": null, "6": 6},
                             "ingress_priority": {"3": 3}}})",
        kernel.state());
    CHECK(commands(plan_for(kernel, other)) ==
          Lines{"ip link set dev ens1f0.100 type vlan ingress-qos-map 3:3 egress-qos-map 3:0 6:6"});
}

TEST_CASE("vlan: a name or an id that is taken is refused, and so is an MTU above the parent's") {
    State state = hosts::host("mlx5_core");
    state.ports.push_back(hosts::port("mlx5_core", "ens1f0.100"));
    state.ports[1].vlan = Vlan{};
    StateFile taken(state);
    const DesiredState desired_values =
        desired_for(R"("vlans": {"100": {"name": "ens1f0.100"}})", taken.state());
    CHECK(failures(plan_for(taken, desired_values)).find("File exists") != std::string::npos);

    StateFile small(hosts::host("mlx5_core"));
    const DesiredState large = desired_for(R"("vlans": {"100": {"mtu": 9000}})", small.state());
    CHECK(failures(plan_for(small, large)).find("Numerical result out of range") !=
          std::string::npos);
}

TEST_CASE("vlan: the id may be a variable, of the host or of each port") {
    State state = profiles::host({profiles::port("ens1f0"), profiles::port("ens1f1")});
    const Profile profile =
        profiles::load(entry(R"("vlans": {"${vlan}": {"mtu": 9000}})", R"("name": "ens*")"));
    Variables variables;
    variables.host["vlan"] = "100";
    variables.ports["ens1f1"]["vlan"] = "200";
    const DesiredState desired_values = resolve(profile, variables, state);
    CHECK(desired_values.ports == Lines{"ens1f0", "ens1f1", "ens1f0.100", "ens1f1.200"});
    variables.host["vlan"] = "5000";
    CHECK_THROWS_WITH_AS(resolve(profile, variables, state),
                         doctest::Contains("found '5000', expected 1..4094"), Error);
    CHECK_THROWS_WITH_AS(resolve(profile, {}, state),
                         doctest::Contains("found ${vlan}, which stands for nothing"), Error);
    // Nowhere else is a name open.
    CHECK(profiles::problems(entry(R"("${what}": 9000)")).size() == 1);
    CHECK(profiles::problems(entry(R"("vlans": {"${vlan}": {"mtu": "much"}})")).size() == 1);
}

TEST_CASE(
    "vlan: more than the port below carries is refused by its mtu, and nothing else is blamed") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Plan plan = plan_for(
        kernel, desired_for(R"("mtu": 1500, "vlans": {"100": {"mtu": 9000}})", kernel.state()));
    CHECK_FALSE(feasible(plan));
    Lines blamed;
    for (const Finding& finding : plan.findings)
        if (finding.level == Finding::Level::failure)
            blamed.push_back(finding.port + ": " + finding.key);
    CHECK(blamed == Lines{"ens1f0.100: mtu"});
    CHECK(failures(plan).find("ens1f0 has mtu 1500") != std::string::npos);
}

TEST_CASE("vlan: goes down, comes up and shrinks with the port below, as the kernel has it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState made = desired_for(kChild, kernel.state());
    REQUIRE(core::apply(kernel, made, plan_for(kernel, made)).status == Status::done);
    const auto child = [&] { return *find_port(kernel.state(), "ens1f0.100")->link; };
    const auto write = [&](const Desired& desired) {
        const DesiredState desired_values = hosts::desired_values({desired});
        core::apply(kernel, desired_values, plan_for(kernel, desired_values));
    };
    write(hosts::desired("mtu", std::uint64_t{4000}));
    CHECK(child().mtu == 4000);
    write(hosts::desired("up", false));
    CHECK_FALSE(child().up);
    write(hosts::desired("up", true));
    CHECK(child().up);
}

TEST_CASE("routes: a source that no port of the host has is refused, one of another port is not") {
    State state = hosts::host("generic");
    state.ports.push_back(hosts::port("generic", "ens1f1"));
    state.ports[1].addresses = {Address{.ip = *parse_ip("198.51.100.7"), .prefix_length = 24}};
    StateFile kernel(state);
    const auto plan_with = [&](const std::string& source) {
        return plan_for(
            kernel, resolve(profiles::load(entry(
                                R"("expect": 1, "routes": [{"to": "203.0.113.0/24", "source": ")" +
                                    source + R"("}])",
                                R"("name": "ens1f0")")),
                            {}, kernel.state()));
    };
    CHECK(failures(plan_with("198.51.100.7")) == "");
    CHECK(failures(plan_with("198.51.100.8")).find("Invalid prefsrc address") != std::string::npos);
}

TEST_CASE("vlan: what an entry says of a child is checked offline") {
    const auto wrong = [](const std::string& settings) {
        const Lines lines = profiles::problems(entry(settings, R"("name": "ens1f0")"));
        return lines.empty() ? std::string() : lines.front();
    };
    CHECK(wrong(kChild).empty());
    CHECK(wrong(R"("vlans": {"0": {}})").ends_with("found '0', expected 1..4094"));
    CHECK(wrong(R"("vlans": {"100": {"pfc.priorities": [3]}})")
              .find("which no new VLAN has of its own") != std::string::npos);
    CHECK(wrong(R"("vlans": {"100": {"match": {"name": "a"}}})").find("unknown key 'match'") !=
          std::string::npos);
    CHECK(wrong(R"("vlans": {"100": {"egress_priority": {"3": 8}}})")
              .ends_with("found 8, expected 1..7"));
    CHECK(wrong(R"("vlans": [100])").ends_with("expected an object of VLAN ids"));
    CHECK(wrong(R"("vlans": {"100": {"routes": [{"to": "fd00::/16", "via": "10.0.0.1"}]}})")
              .find("gateway of the other family") != std::string::npos);
}

TEST_CASE("vlan: no pattern means one, so a child is no port of its entry") {
    State state = profiles::host({profiles::port("ens1f0"), profiles::port("ens1f0.100")});
    state.ports[1].link->vlan = 100;
    const DesiredState desired_values = desired_for(R"("mtu": 9000)", state);
    CHECK(desired_values.ports == Lines{"ens1f0"});
    const DesiredState named =
        resolve(profiles::load(entry(R"("mtu": 9000)", R"("name": "ens1f0.100")")), {}, state);
    CHECK(desired(named, "ens1f0.100", "mtu") == "9000");
}

// The kernel takes the MTU of a VLAN down with that of the port below, and not up again.
TEST_CASE("vlan: one that nobody states anything of is as before once its port is") {
    State state = hosts::host("mlx5_core");
    state.ports[0].link->mtu = 9000;
    Port child = hosts::port("mlx5_core", "data");
    child.link->kind = "vlan";
    child.link->lower = "ens1f0";
    child.link->mtu = 9000;
    child.vlan = Vlan{.parent = "ens1f0", .id = 7};
    Port upper = child;
    upper.name = "inner";
    upper.link->lower = "data";
    upper.vlan = Vlan{.parent = "data", .id = 8};
    Port other = child;
    other.name = "elsewhere";
    other.link->lower = "ens9";
    state.ports.insert(state.ports.end(), {child, upper, other});
    StateFile kernel(state);
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        desired_for(R"("mtu": 1500)", State{.host = {}, .ports = {state.ports[0]}});
    const Plan alone = plan_for(kernel, desired_values);
    CHECK(find_port(alone.before, "data") == nullptr);
    const Lines along = carried_along(alone, before);
    CHECK(along == Lines{"data", "inner"});
    CHECK(carried_along(plan_for(kernel, desired_for(R"("ring": {"rx": 64})", kernel.state())),
                        before)
              .empty());

    Scope scope = scope_of(desired_values, kernel.state());
    scope.ports->insert(scope.ports->end(), along.begin(), along.end());
    const Plan plan = make_plan(desired_values, kernel.read(scope));
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(find_port(hosts::read_all(kernel), "data")->link->mtu == 1500);
    const DesiredState back = undo_profile(plan);
    CHECK(core::apply(kernel, back, plan_for(kernel, back)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

// The kernel takes every VLAN up with the port below, also one that was down (net/8021q/vlan.c
// vlan_device_event).
TEST_CASE("vlan: one that is down is down again when the port below was down for a while") {
    for (const bool child_up : {false, true}) {
        for (const bool inner_up : {false, true}) {
            CAPTURE(child_up);
            CAPTURE(inner_up);
            State state = hosts::host("mlx5_core");
            state.ports[0].link->up = true;
            Port child = hosts::port("mlx5_core", "data");
            child.link->kind = "vlan";
            child.link->lower = "ens1f0";
            child.link->up = child_up;
            child.addresses.emplace();
            child.routes.emplace();
            child.vlan = Vlan{.parent = "ens1f0", .id = 7};
            Port inner = child;
            inner.name = "inner";
            inner.link->lower = "data";
            inner.link->up = child_up && inner_up;
            inner.vlan = Vlan{.parent = "data", .id = 8};
            state.ports.insert(state.ports.end(), {child, inner});
            StateFile kernel(state);
            const State before = hosts::read_all(kernel);
            const auto link_of = [&](const char* name) {
                return *find_port(kernel.state(), name)->link;
            };
            const DesiredState desired_values =
                hosts::desired_values({hosts::desired("up", false)});
            const Plan plan = make_plan(desired_values, before);
            CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
            CHECK_FALSE(link_of("ens1f0").up);
            CHECK_FALSE(link_of("data").up);
            CHECK_FALSE(link_of("inner").up);
            const DesiredState back = undo_profile(plan);
            CHECK(core::apply(kernel, back, make_plan(back, hosts::read_all(kernel))).status ==
                  Status::done);
            CHECK(link_of("data").up == child_up);
            CHECK(link_of("inner").up == (child_up && inner_up));
            CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
        }
    }
}

}  // namespace vlan_test
