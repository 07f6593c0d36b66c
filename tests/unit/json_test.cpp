// SPDX-License-Identifier: Apache-2.0
#include "core/json/json.hpp"
#include "core/model/finding_names.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/hosts.hpp"

namespace json_test {

using namespace core;

namespace {

std::vector<std::string> wrong(const std::string& text) {
    try {
        parse_state(text, "s");
    } catch (const Error& error) {
        CHECK(error.status() == Status::invalid_input);
        return error.lines();
    }
    return {};
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("state: two keys that are about one thing agree, whoever wrote the file") {
    for (const std::string start : {R"({"ports": [)", R"({"command": "snapshot", "ports": [)"}) {
        INFO(start);
        CHECK_THROWS_WITH_AS(
            parse_state(start + R"({"name": "a", "rdma": {"device": "", "name": "x"}}]})", "f"),
            doctest::Contains("/ports/0/rdma/device: found '', and 'x' by another key"), Error);
        const State state =
            parse_state(start + R"({"name": "a", "rdma": {"device": "x", "name": "x"}}]})", "f");
        CHECK(state.ports.front().rdma_link->device == "x");
    }
}

TEST_CASE("state: what is written reads back, for every driver") {
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        State state = hosts::host(std::string(driver.name));
        state.ports[0].refused[Object::pfc] = {.code = 95, .text = "Operation not supported"};
        state.ports[0].unknown.insert(Object::cm_defaults);
        state.ports.emplace_back("bare");
        const Json json = to_json(state);
        const State back = parse_state(json.dump(), "s");
        INFO(json.dump(1));
        CHECK(to_json(back) == json);
        CHECK(hosts::difference(state, back).empty());
        CHECK(back.ports[0].refused == state.ports[0].refused);
        CHECK(back.ports[0].unknown == state.ports[0].unknown);
        CHECK(back.ports[1] == state.ports[1]);
        CHECK(back.host == state.host);
    }
}

TEST_CASE("state: when it was read is reported, and makes no other host of it") {
    State state{.host = {.name = "gpu01", .kernel = "6.12", .time = 1700000000}, .ports = {}};
    const Json json = to_json(state);
    CHECK(json["host"]["time"] == 1700000000);
    State back = parse_state(json.dump(), "s");
    CHECK(back.host.time == 1700000000);
    back.host.time = 1;
    CHECK(back.host == state.host);
    CHECK_FALSE(to_json(State{})["host"].contains("time"));
    CHECK(wrong(R"({"host": {"time": "noon"}, "ports": []})") ==
          Lines{"s:1:19: /host/time: found 'noon', expected the seconds since 1970 as a number"});
}

TEST_CASE("state: what was asked for by name and is not there reads back, of what has no end") {
    State state{.host = {}, .ports = {Port(kHost)}};
    state.ports[0].sysctl = Sysctl{{"vm.swappiness", "60"}};
    state.ports[0].absent[Object::sysctl] = {"net.no.such"};
    state.ports[0].absent[Object::modules] = {"no_such"};
    const Json json = to_json(state);
    CHECK(json["host"]["absent"]["sysctl"] == Json{"net.no.such"});
    CHECK(parse_state(json.dump(), "s") == state);
    CHECK(wrong(R"({"host": {"absent": {"hugepages": ["1G"]}}, "ports": []})").size() == 1);
    CHECK(wrong(R"({"host": {"absent": {"sysctl": "a"}}, "ports": []})").size() == 1);
    CHECK(wrong(R"({"host": {"absent": {"sysctl": [1]}}, "ports": []})").size() == 1);
    CHECK(wrong(R"({"host": {"absent": {"nothing": []}}, "ports": []})").size() == 1);
}

TEST_CASE("state: every sample of every row reads back, and what is absent stays absent") {
    for (const Field& field : fields()) {
        if (field.key == "addresses_by_kernel") continue;  // marks addresses that are there
        for (const Value& sample : samples(field.shape)) {
            INFO(field.key, " ", text(sample));
            Port port((row_of(field.object).lives == Lives::host) ? std::string(kHost) : "a");
            std::string element;
            if (is_keyed(field.shape)) element = sample_keys(field.shape).back();
            if (field.shape.kind == Shape::Kind::items) element = identity(field.shape, sample);
            set_element(port, field, element, sample);
            const State state{.host = {}, .ports = {port}};
            const State back = parse_state(to_json(state).dump(), "s");
            REQUIRE(back.ports.size() == 1);
            for (const Field& other : fields()) {
                INFO(other.key);
                CHECK(other.get(back.ports[0]) == other.get(port));
            }
        }
    }
}

TEST_CASE("state: keys nest by their dots, and a known nothing is null") {
    State state = hosts::host("generic");
    state.ports[0].refused[Object::ets] = {.code = 95, .text = "Operation not supported"};
    const Json port = to_json(state)["ports"][0];
    CHECK(port["name"] == "ens1f0");
    CHECK(port["mtu"] == 1500);
    CHECK(port["pause"]["rx"] == true);
    CHECK(port["pfc"]["priorities"] == Json::array());
    CHECK(port["rdma"]["link"].is_null());
    CHECK(port["dscp"]["map"] == Json::object());
    CHECK(port["addresses"][0] == "198.18.0.1/24");
    CHECK(port["refused"]["ets"]["code"] == 95);
}

TEST_CASE("state: what a kernel shows and no profile may ask for reads back") {
    State state{.host = {}, .ports = {Port("lo"), Port("sit0"), Port("can0")}};
    state.ports[0].link = Link{.mac = "00:00:00:00:00:00", .mtu = 65536};
    state.ports[1].link = Link{.mac = "00:00:00:00", .mtu = 1480};
    state.ports[2].link = Link{.mtu = 16};
    const State back = parse_state(to_json(state).dump(), "s");
    CHECK(back.ports == state.ports);
}

TEST_CASE("state: several priorities of one code point survive") {
    State state = hosts::host("generic");
    state.ports[0].app->entries = {{AppEntry::dscp, 26, 3}, {AppEntry::dscp, 26, 4}};
    const State back = parse_state(to_json(state).dump(), "s");
    CHECK(back.ports[0].app->entries == state.ports[0].app->entries);
}

TEST_CASE("state: a command's whole document is taken") {
    const State state = parse_state(
        R"({"format": 1, "rocectl": "0.1.0", "command": "snapshot", "status": 0,
            "host": {"name": "n", "kernel": "6.1"}, "ports": [{"name": "a", "mtu": 1500}]})",
        "s");
    CHECK(state.host.name == "n");
    REQUIRE(state.ports.size() == 1);
    CHECK(state.ports[0].link->mtu == 1500);
    CHECK_FALSE(state.ports[0].pfc);
}

TEST_CASE("state: what is wrong is said with its place, all of it") {
    CHECK(wrong("") == Lines{"s:1:1: found the end of the file, expected a value"});
    CHECK(wrong("[]") ==
          Lines{"s:1:1: found a list, expected a state as rocectl snapshot writes it"});
    CHECK(wrong("null").size() == 1);
    CHECK(wrong("{}") == Lines{"s:1:1: found no 'ports', expected a list"});
    CHECK(
        wrong(R"({"format": 2, "ports": [], "prots": []})") ==
        Lines{"s:1:12: /format: found 2, expected 1", "s:1:28: /prots: found unknown key 'prots'"});
    CHECK(wrong(R"({"ports": [{"name": "a", "mut": 1500, "mtu": "x", "pfc": {"x": 1}},
                               {"mtu": null, "name": "a", "refused": {"pcf": {}}, "unknown": [3]},
                               {"up": true}]})")
              .size() == 8);
    CHECK(wrong(R"({"ports": [{"name": "a", "mtu": 4294967296}]})") ==
          Lines{"s:1:33: /ports/0/mtu: found 4294967296, expected 68..65535"});
    CHECK(wrong(R"({"ports": [{"name": "a", "mtu": null}]})") ==
          Lines{"s:1:33: /ports/0/mtu: found null, expected 68..65535"});
    CHECK(wrong(R"({"ports": [{"name": "a", "pfc": {"priorities": [8]}}]})") ==
          Lines{"s:1:49: /ports/0/pfc/priorities/0: found 8, expected 0..7"});
    CHECK(wrong(R"({"ports": [{"name": "a", "addresses": ["${x}/24"]}]})").size() == 1);
}

TEST_CASE("plan: its document names port, object, disruption, before, after and origin") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000}),
                                       hosts::desired("dscp.map", std::uint64_t{3}, "26")}));
    const Json json = to_json(plan);
    CHECK(json["ports"][0] == "ens1f0");
    REQUIRE(json["steps"].size() == plan.steps.size());
    bool mtu = false;
    bool map = false;
    for (const Json& step : json["steps"])
        for (const Json& change : step["changes"]) {
            CHECK(change.contains("origin"));
            CHECK(step["disruption"].is_string());
            if (change["setting"] == "mtu") {
                mtu = true;
                CHECK(step["object"] == "link");
                CHECK(change["before"] == 1500);
                CHECK(change["after"] == 9000);
                CHECK_FALSE(change.contains("element"));
            }
            if (change["setting"] == "dscp.map") {
                map = true;
                CHECK(change["element"] == "26");
                CHECK(change["before"].is_null());
                CHECK(change["after"] == 3);
            }
        }
    CHECK(mtu);
    CHECK(map);
}

TEST_CASE("report: changed says whether the host differs from before") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000})});
    const Json first = to_json(hosts::apply(kernel, desired_values));
    CHECK(first["changed"] == true);
    CHECK(first["outcomes"][0]["result"] == "applied");
    CHECK(first["remaining"]["steps"].empty());
    CHECK(to_json(hosts::apply(kernel, desired_values))["changed"] == false);

    StateFile broken(hosts::host("mlx5_core"));
    broken.refuse(Object::link, {.code = 22, .text = "Invalid argument"});
    const Report report = hosts::apply(broken, desired_values);
    const Json json = to_json(report);
    CHECK(json["outcomes"][0]["result"] == "refused");
    CHECK(json["outcomes"][0]["refusal"]["code"] == 22);
    CHECK(json["changed"] == (report.status == Status::left_changed));
}

TEST_CASE("finding and origin: as scripts read them") {
    const Json finding = to_json(
        Finding{.id = findings::conflict, .port = "a", .key = "mtu", .text = "x", .remedy = "y"});
    CHECK(
        finding.dump() ==
        R"({"level":"failure","id":"conflict","port":"a","key":"mtu","element":"","text":"x","remedy":"y"})");
    CHECK(to_json(Origin{.file = "p.json", .line = 3, .column = 5, .derived_from = "roce.dscp"})
              .dump() == R"({"file":"p.json","line":3,"column":5,"derived_from":"roce.dscp"})");
    CHECK(to_json(Origin{.other = "kept"}).dump() == R"({"other":"kept"})");
}

}  // namespace json_test
