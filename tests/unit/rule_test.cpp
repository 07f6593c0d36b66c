// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/objects/ip/records.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace rule_test {

using namespace core;
using profiles::desired;
using profiles::entry;

namespace {

using Lines = std::vector<std::string>;

State host() {
    State state = hosts::host("mlx5_core");
    state.ports.push_back(hosts::whole_host());
    return state;
}

DesiredState exact(std::vector<Desired> some) {
    DesiredState desired_values = hosts::desired_values(std::move(some));
    desired_values.ports = {"ens1f0", std::string(kHost)};
    desired_values.exact.push_back(
        {.port = std::string(kHost), .field = find_field("rules"), .only = {}, .origin = {}});
    return desired_values;
}

DesiredState resolved(const std::string& text, const State& state) {
    return resolve(profiles::load(text), {}, state);
}

std::string refusal(StateFile& kernel, const Desired& desired) {
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::desired_values({desired})).findings)
        out += finding.text;
    return out;
}

}  // namespace

TEST_CASE("rules: stated at a port they live at the host, after the routes they lead to") {
    StateFile kernel(host());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values(
        {hosts::desired("rules", Record{{"from", "10.1.0.0/31"}, {"table", "102"}}),
         hosts::desired("routes",
                        Record{{"to", "0.0.0.0/0"}, {"via", "198.18.0.254"}, {"table", "102"}})});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) ==
          Lines{"ip route add 0.0.0.0/0 via 198.18.0.254 dev ens1f0 table 102 scope global proto "
                "static",
                "ip rule add priority 32765 from 10.1.0.0/31 table 102"});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    const Plan back = hosts::plan(kernel, undo_profile(plan));
    REQUIRE(back.steps.size() == 2);
    CHECK(back.steps[0].object == Object::rules);  // and go before them
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("rules: exact removes what is not named, and never the kernel's own") {
    StateFile kernel(host());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        exact({hosts::desired("rules", Record{{"from", "fd00::1"}, {"table", "102"}})});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Lines{"ip rule delete priority 1000 from 198.18.0.1/32 table 101",
                                  "ip -6 rule add priority 32765 from fd00::1/128 table 102"});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[1].rules->size() == 6);
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("rules: one that leads elsewhere is replaced, and every part is spelled") {
    StateFile kernel(host());
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("rules", Record{{"from", "198.18.0.1"},
                                                              {"priority", std::uint64_t{1000}},
                                                              {"table", "main"}}),
                               hosts::desired("rules", Record{{"to", "10.0.0.0/8"},
                                                              {"iif", "ens1f0"},
                                                              {"oif", "ens1f1"},
                                                              {"fwmark", std::uint64_t{3}},
                                                              {"tos", std::uint64_t{16}},
                                                              {"priority", std::uint64_t{7}},
                                                              {"table", "1003"},
                                                              {"protocol", "static"}})});
    CHECK(commands(hosts::plan(kernel, desired_values)) ==
          Lines{"ip rule delete priority 1000 from 198.18.0.1/32 table 101",
                "ip rule add priority 1000 from 198.18.0.1/32 table main",
                "ip rule add priority 7 from all to 10.0.0.0/8 iif ens1f0 oif ens1f1 fwmark "
                "0x3/0xffffffff tos 0x10 table 1003 protocol static"});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
}

TEST_CASE("rules: what the kernel would refuse or mistake is refused before") {
    State state = host();
    Port& whole = state.ports[1];
    whole.rules->push_back(
        {.from = parse_network("198.18.0.1"), .iif = "ens1f0", .priority = 1000, .table = 101});
    whole.rules_beyond.push_back(
        {.rule = {.from = parse_network("198.18.0.1"), .priority = 1000, .table = 109},
         .what = std::string(kSecondRule)});
    StateFile kernel(state);
    CHECK(refusal(kernel, hosts::no_desired("rules", "1000 ipv4 from 198.18.0.1/32"))
              .ends_with("the kernel would not tell the rule from another one (priority 1000 from "
                         "198.18.0.1/32 iif ens1f0 table 101); give them different priorities"));
    CHECK(satisfied(hosts::plan(kernel, hosts::desired_values({}))));
    const auto to_table = [](const std::string& table) {
        return hosts::desired("rules", Record{{"from", "198.18.0.1"},
                                              {"iif", "ens1f0"},
                                              {"priority", std::uint64_t{1000}},
                                              {"table", table}});
    };
    CHECK(refusal(kernel, to_table("102")).empty());
    CHECK(refusal(kernel, hosts::desired("rules", Record{{"from", "10.0.0.1"},
                                                         {"tos", std::uint64_t{106}},
                                                         {"table", "7"}}))
              .ends_with("Invalid argument"));
}

TEST_CASE("rules: the host's part of a state is written and read with the host") {
    State state = host();
    state.ports[1].rules_beyond.push_back({.rule = {.priority = 1, .table = 5}, .what = "not"});
    const nlohmann::ordered_json json = to_json(state);
    CHECK(json.at("host").at("name") == "node1");
    CHECK(json.at("host").at("rules").size() == 6);
    CHECK(json.at("ports").size() == 1);
    const State back = parse_state(json.dump(), "s");
    CHECK(back.host == state.host);
    REQUIRE(find_port(back, kHost) != nullptr);
    CHECK(hosts::difference(state, back) == "");
    CHECK(find_port(back, kHost)->rules_beyond == state.ports[1].rules_beyond);
    CHECK_THROWS(parse_state(R"({"ports": [{"name": "a", "rules": []}]})", "s"));
    CHECK_THROWS(parse_state(R"({"host": {"mtu": 1500}, "ports": []})", "s"));
}

TEST_CASE("rules: a state without them is no state of no rules") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Plan plan =
        hosts::plan(kernel, hosts::desired_values({hosts::desired(
                                "rules", Record{{"fwmark", std::uint64_t{1}}, {"table", "101"}})}));
    CHECK_FALSE(feasible(plan));
}

TEST_CASE("rules: resolve gathers them from all ports, and finds what contradicts") {
    const State state = profiles::host({profiles::port("a"), profiles::port("b")});
    const DesiredState desired_values = resolved(entry(R"("expect": 2, "rules": [
            {"from": "10.${index + 1}.0.0/31", "table": "${index + 101}", "priority": 1000},
            {"to": "10.0.0.0/8", "table": "200"}], "exact": ["rules"])"),
                                                 state);
    CHECK(desired_values.ports == Lines{"a", "b", std::string(kHost)});
    const std::string whole(kHost);
    CHECK(desired(desired_values, whole, "rules", "1000 ipv4 from 10.1.0.0/31") != "not desired");
    CHECK(desired(desired_values, whole, "rules", "1000 ipv4 from 10.2.0.0/31") != "not desired");
    CHECK(desired_values.desired_values.size() == 3);  // what both say is said once
    REQUIRE(desired_values.exact.size() == 1);
    CHECK(desired_values.exact[0].port == kHost);
    CHECK(desired_values.findings.empty());

    const DesiredState torn = resolved(
        entry(R"("expect": 2, "rules": [{"to": "10.0.0.0/8", "table": "${index + 101}"}])"), state);
    REQUIRE(torn.findings.size() == 1);
    CHECK(torn.findings[0].id == "conflict");
    CHECK(torn.findings[0].port == kHost);
    CHECK(torn.findings[0].text.find("/ports/0/rules/0 for a states") != std::string::npos);
    CHECK(torn.findings[0].text.find("/ports/0/rules/0 for b states") != std::string::npos);
}

TEST_CASE("rules: families are checked offline, and networks by what they are") {
    const auto wrong = [](const std::string& rule) {
        const Lines lines = profiles::problems(entry(R"("rules": [)" + rule + "]"));
        return lines.empty() ? std::string() : lines.front();
    };
    CHECK(wrong(R"({"from": "10.1.0.1", "table": "101"})").empty());
    CHECK(wrong(R"({"from": "10.1.0.1", "to": "fd00::/8", "table": 101})")
              .find("the rule is for IPv4 and selects fd00::/8") != std::string::npos);
    CHECK(wrong(R"({"from": "10.1.0.1", "family": "ipv6", "table": 101})")
              .find("the rule is for IPv6 and selects 10.1.0.1/32") != std::string::npos);
    CHECK(wrong(R"({"from": "10.1.0.1/24", "table": 101})").find("host bits") != std::string::npos);
    CHECK(wrong(R"({"from": "x", "table": 101})")
              .ends_with("found 'x', expected ADDRESS, NETWORK/LENGTH or all"));
    CHECK(wrong(R"({"from": "10.1.0.1"})").ends_with("found no 'table', expected one"));
}

}  // namespace rule_test
