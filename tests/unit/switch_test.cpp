// SPDX-License-Identifier: Apache-2.0
#include "core/profile/switch.hpp"

#include <doctest/doctest.h>

#include "tests/unit/profiles.hpp"

namespace switch_test {

using namespace core;
using profiles::Files;
using profiles::problems;
using Lines = std::vector<std::string>;

namespace {

/// A profile with these members beside its format, in the third line and below.
std::string profile(const std::string& members) {
    return "{\n  \"format\": 1,\n  " + members + "\n}\n";
}

}  // namespace

TEST_CASE("switch: a code point in another priority than here is an error that names both lines") {
    CHECK(problems(Files{{"main.json", profile("\"extends\": [\"leaf\"],\n  \"roce\": {\n"
                                               "    \"dscp\": 26 }")},
                         {"leaf", profile("\"switch\": { \"lossless\": [3],\n"
                                          "    \"dscp_map\": { \"3\": 3, \"26\": 1 } }")}}) ==
          Lines{"main.json:5:5: dscp.map 26: DSCP 26 gets priority 3 here, but from the switch "
                "priority 1, which is not lossless (leaf:4); state DSCP 3 for roce.dscp, which "
                "the switch puts into priority 3, or switch.dscp_map 26: 3 in the profile once the "
                "switches are "
                "set so"});
    // Of a setting that is stated, its own line; of a priority that may drop, another one will do.
    CHECK(problems(profile("\"switch\": {\"dscp_map\": {\"10\": 2}},\n  \"ports\": [{\"match\": "
                           "{\"name\": \"a\"},\n \"dscp.map\": {\"10\": 1}}]")) ==
          Lines{"main.json:5:15: /ports/0/dscp.map/10: dscp.map 10: DSCP 10 gets priority 1 here, "
                "but from the switch priority 2 (main.json:3); state priority 2 for it, or "
                "switch.dscp_map 10: 1 in the profile once the switches are set so"});
}

TEST_CASE("switch: what it does not state agrees with everything") {
    CHECK(problems(profile(R"("roce": {}, "switch": {})")).empty());
    CHECK(problems(profile(R"("roce": {}, "switch": null)")).empty());
    CHECK(problems(profile(R"("roce": {}, "switch": {"dscp_map": {"27": 1}})")).empty());
    CHECK(problems(profile(R"("roce": {}, "switch": {"lossless": ["${p}"]})")).empty());
    CHECK(problems(profile(R"("switch": {"dscp_map": {"26": 1}, "lossless": [4]})")).empty());
    const std::string sonic = R"("extends": ["roce-v2-lossless", "sonic-default"], )";
    CHECK(problems(profile(sonic + R"("roce": {"dscp": 3})")).empty());
    CHECK(problems(profile(sonic + R"("switch": {"dscp_map": {"26": 3}})")).empty());
    CHECK(problems(profile(sonic + R"("switch": {"dscp_map": {"26": null}})")).empty());
    CHECK(problems(profile(sonic + R"("switch": null)")).empty());
    CHECK(problems(profile(sonic + R"("roce": {})")).size() == 1);
    CHECK(problems(profile(sonic + R"("roce": null)")).empty());
}

TEST_CASE("switch: PFC here and lossless there are the same for what is sent") {
    const auto wrong = [](const std::string& members) {
        const Lines lines = problems(profile(members));
        return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " problems";
    };
    CHECK(wrong(R"("roce": {}, "switch": {"lossless": [4]})") ==
          "main.json:3:11: pfc.priorities: PFC is on for [3], but the switch makes [4] lossless "
          "(main.json:3): packets of priority 3 are dropped there; state pfc.priorities [4], or "
          "switch.lossless [3] in the profile once the switches are set so");
    CHECK(wrong(R"("roce": {}, "switch": {"lossless": [3]},
  "ports": [{"match": {"name": "a"}, "pfc.priorities": []}])")
              .find("PFC is on for [], but the switch makes [3] lossless (main.json:3): its pauses "
                    "of priority 3 are not obeyed") != std::string::npos);
    CHECK(problems(profile(R"("roce": {}, "switch": {"lossless": [3, 4]})")).empty());
    CHECK(wrong(R"("roce": {}, "switch": {"lossless": [3, 4]},
  "ports": [{"match": {"name": "a"}, "dscp.map": {"34": 4}}])")
              .find("its pauses of priority 4 are not obeyed") != std::string::npos);
}

TEST_CASE("switch: congestion notifications and a ToS of its own") {
    const auto wrong = [](const std::string& members) {
        const Lines lines = problems(profile(members));
        return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " problems";
    };
    CHECK(
        wrong(R"("roce": {}, "switch": {"lossless": [3, 6], "dscp_map": {"48": 6}})")
            .find("dscp.map 48: DSCP 48 of congestion notifications gets from the switch priority "
                  "6, which is lossless (main.json:3): they would wait") != std::string::npos);
    CHECK(wrong(R"("roce": {}, "switch": {"dscp_map": {"48": 7}})")
              .find("state priority 7 for it, or switch.dscp_map 48: 6 in the profile once") !=
          std::string::npos);
    CHECK(wrong(R"("switch": {"lossless": [3], "dscp_map": {"40": 5}}, "ports": [{"match":
  {"name": "a"}, "pfc.priorities": [3], "rdma.default_tos": 160}])") ==
          "main.json:4:41: /ports/0/rdma.default_tos: rdma.default_tos: ToS 160 is DSCP 40, which "
          "gets from the switch priority 5, which is not lossless (main.json:3); state a ToS "
          "whose DSCP the switch puts into a lossless priority");
}

TEST_CASE("switch: what is wrong in it is said in its own file") {
    CHECK(problems(profile(R"("switch": {"dscp_map": {"64": 1, "1": 8}, "losless": [3]})")) ==
          Lines{"main.json:3:27: /switch/dscp_map/64: found '64', expected 0..63",
                "main.json:3:41: /switch/dscp_map/1: found 8, expected 0..7",
                "main.json:3:45: /switch/losless: found unknown key 'losless', did you mean "
                "'lossless'?"});
    CHECK(problems(profile(R"("switch": [3])")) ==
          Lines{"main.json:3:13: /switch: found a list, expected an object of dscp_map and "
                "lossless, or null"});
}

TEST_CASE("switch: variables are put in before the host's ports are held against it") {
    const Profile read = profiles::load(profile(R"("roce": {}, "switch": {"lossless": ["${class}"]},
  "ports": [{"match": {"name": "a"}}])"));
    const State state = profiles::host({profiles::port("a")});
    Variables variables;
    variables.host["class"] = "3";
    CHECK(resolve(read, variables, state).findings.empty());
    variables.host["class"] = "5";
    const DesiredState desired_values = resolve(read, variables, state);
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "switch-lossless");
    CHECK(desired_values.findings[0].level == Finding::Level::failure);
    CHECK(desired_values.findings[0].text.find("the switch makes [5] lossless (main.json:3)") !=
          std::string::npos);
    CHECK_THROWS_AS(resolve(read, {}, state), Error);
}

TEST_CASE("switch: the shipped map of SONiC is that of its template") {
    Problems found;
    const Node tree = parse_tree(profiles::shipped("sonic-default"), "sonic-default", found);
    const auto switches = read_switch(*tree.find("switch"), "/switch", found);
    REQUIRE(found.empty());
    REQUIRE(switches);
    CHECK(switches->lossless->priorities == Numbers{3, 4});
    REQUIRE(switches->dscp_map.size() == 64);
    const std::map<std::uint64_t, std::uint64_t> apart = {{3, 3}, {4, 4},  {5, 2},
                                                          {8, 0}, {46, 5}, {48, 6}};
    for (const auto& [dscp, priority] : switches->dscp_map) {
        INFO(dscp);
        CHECK(priority.value == (apart.contains(dscp) ? apart.at(dscp) : 1));
    }
}

}  // namespace switch_test
