// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/hosts.hpp"

namespace neighbour_test {

using namespace core;

namespace {

State host(const std::string& driver) {
    State state = hosts::host(driver);
    for (const char* ip : {"198.18.0.7", "2001:db8::7"})
        state.ports[0].neighbours->push_back({.ip = *parse_ip(ip), .mac = "02:00:00:00:00:07"});
    return state;
}

Desired neighbour(const std::string& ip, const std::string& mac) {
    return hosts::desired("neighbours", Record{{"ip", ip}, {"mac", mac}});
}

std::vector<Neighbour> neighbours_of(StateFile& kernel) {
    return *hosts::read_all(kernel).ports[0].neighbours;
}

bool has(StateFile& kernel, const std::string& ip, const std::string& mac) {
    const Neighbour wanted{.ip = *parse_ip(ip), .mac = mac};
    const auto all = neighbours_of(kernel);
    return std::ranges::find(all, wanted) != all.end();
}

std::vector<Object> objects_of(const Plan& plan) {
    std::vector<Object> out;
    for (const Step& step : plan.steps)
        out.push_back(step.object);
    return out;
}

}  // namespace

TEST_CASE("neighbours: a learned one is made permanent, and undo takes the statement away") {
    StateFile kernel(host("generic"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({neighbour("198.18.0.254", "02:00:00:00:00:fe")});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Commands{"ip neighbour replace 198.18.0.254 lladdr 02:00:00:00:00:fe "
                                     "dev ens1f0 nud permanent"});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(has(kernel, "198.18.0.254", "02:00:00:00:00:fe"));
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("neighbours: learned ones are facts, which no absence and no exactness touches") {
    StateFile kernel(host("generic"));
    DesiredState desired_values =
        hosts::desired_values({hosts::no_desired("neighbours", "198.18.0.254")});
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    desired_values = hosts::desired_values({});
    desired_values.exact.push_back(
        {.port = "ens1f0", .field = find_field("neighbours"), .only = {}, .origin = {}});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    REQUIRE(neighbours_of(kernel).size() == 1);
    CHECK(neighbours_of(kernel)[0].state == "stale");
}

TEST_CASE("neighbours: taking the port down and up loses them, and the plan puts them back") {
    State state = host("generic");
    StateFile kernel(state);
    const Step down{.port = "ens1f0",
                    .object = Object::link,
                    .changes = {{.field = find_field("up"), .element = "", .after = Value(false)}}};
    CHECK_FALSE(kernel.write(down));
    CHECK(neighbours_of(kernel).empty());

    StateFile ice(host("ice"));  // closes and opens the port at each DCB write
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("pfc.priorities", Numbers{3})});
    const Plan plan = hosts::plan(ice, desired_values);
    CHECK(objects_of(plan) ==
          std::vector{Object::pfc, Object::addresses, Object::routes, Object::neighbours});
    CHECK(hosts::apply(ice, desired_values).status == Status::done);
    CHECK(has(ice, "2001:db8::7", "02:00:00:00:00:07"));
}

TEST_CASE("neighbours: those of IPv4 go with its last address, those of IPv6 with a small MTU") {
    StateFile kernel(host("generic"));
    const DesiredState none = hosts::desired_values({hosts::no_desired("addresses", "198.18.0.1")});
    const Plan plan = hosts::plan(kernel, none);
    CHECK(objects_of(plan) == std::vector{Object::addresses, Object::neighbours});
    CHECK(hosts::apply(kernel, none).status == Status::done);
    CHECK(has(kernel, "198.18.0.7", "02:00:00:00:00:07"));

    StateFile small(host("generic"));
    const Plan shrunk =
        hosts::plan(small, hosts::desired_values({hosts::desired("mtu", std::uint64_t{1000}),
                                                  neighbour("2001:db8::7", "02:00:00:00:00:07")}));
    CHECK_FALSE(feasible(shrunk));
}

TEST_CASE("neighbours: what no setting holds of one makes its removal irreversible") {
    State state = host("generic");
    state.ports[0].neighbours_beyond = {{.ip = *parse_ip("2001:db8::7"), .what = "router"}};
    StateFile kernel(state);
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({hosts::no_desired("neighbours", "2001:db8::7")}));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].irreversible);
    const Plan changed =
        hosts::plan(kernel, hosts::desired_values({neighbour("2001:db8::7", "02:00:00:00:00:08")}));
    REQUIRE(changed.steps.size() == 1);
    CHECK_FALSE(changed.steps[0].irreversible);
}

}  // namespace neighbour_test
