// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/unit/profiles.hpp"

namespace profile_test {

using namespace core;
using profiles::entry;
using profiles::Files;
using profiles::problems;
using Lines = std::vector<std::string>;

namespace {

/// The only problem of an entry, without its place.
std::string wrong(const std::string& settings) {
    const Lines lines = problems(entry(settings));
    if (lines.size() != 1) return std::to_string(lines.size()) + " problems";
    const std::size_t at = lines.front().find(": ");
    return lines.front().substr(at + 2);
}

/// A profile that states one key of the host.
std::string host_entry(const std::string& key, const std::string& value) {
    return R"({"format": 1, "host": {")" + key + "\": " + value + "}}";
}

}  // namespace

TEST_CASE("profile: the shipped profiles load") {
    for (const auto& file : std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/profiles")) {
        const std::string name = file.path().stem().string();
        INFO(name);
        CHECK(problems(profiles::shipped(name)).empty());
        CHECK(profiles::load(profiles::shipped(name)).name == name);
    }
}

TEST_CASE("profile: every setting's samples can be stated, nested and dotted") {
    const auto json = [](const Value& value) {
        std::string out;
        if (const auto* flag = std::get_if<bool>(&value)) out = *flag ? "true" : "false";
        if (const auto* number = std::get_if<std::uint64_t>(&value)) out = std::to_string(*number);
        if (const auto* word = std::get_if<std::string>(&value)) out = '"' + *word + '"';
        if (const auto* numbers = std::get_if<Numbers>(&value)) out = text(*numbers);
        if (const auto* words = std::get_if<Words>(&value)) {
            for (const std::string& word : *words)
                out += (out.empty() ? "[\"" : ",\"") + word + '"';
            out += ']';
        }
        if (const auto* record = std::get_if<Record>(&value)) {
            for (const auto& [name, scalar] : *record) {
                const auto* word = std::get_if<std::string>(&scalar);
                out += (out.empty() ? "{\"" : ",\"") + name + "\":" +
                       (word != nullptr ? '"' + *word + '"'
                                        : std::to_string(std::get<std::uint64_t>(scalar)));
            }
            out += '}';
        }
        return out;
    };
    for (const Field& field : fields()) {
        for (const Value& sample : samples(field.shape)) {
            std::string value = json(sample);
            if (is_keyed(field.shape))
                value = "{\"" + sample_keys(field.shape).back() + "\": " + value + '}';
            if (field.shape.kind == Shape::Kind::items) value = '[' + value + ']';
            const std::string key(field.key);
            if (field.key.starts_with(kHostKeys)) {
                const bool states = problems(host_entry(key.substr(5), value)).empty();
                CHECK(states == (field.use == Field::Use::setting));
                CHECK_FALSE(problems(entry('"' + key + "\": " + value)).empty());
                continue;
            }
            // An address is one port's.
            const std::string dotted = entry('"' + key + "\": " + value, R"("name": "a")");
            INFO(dotted);
            Lines found = problems(dotted);
            // What a check says about samples that mean nothing together is not the point here.
            std::erase_if(found, [&](const std::string& line) {
                return line.find(": " + key + ": ") != std::string::npos;
            });
            if (field.use != Field::Use::setting) {
                const bool selects = key == "rdma.device";
                CHECK(found.size() == (selects ? 0 : 1));
                continue;
            }
            CHECK(found.empty());
            const std::size_t dot = key.find('.');
            if (dot == std::string::npos) continue;
            Lines nested = problems(entry('"' + key.substr(0, dot) + "\": {\"" +
                                          key.substr(dot + 1) + "\": " + value + '}'));
            std::erase_if(nested, [&](const std::string& line) {
                return line.find(": " + key + ": ") != std::string::npos;
            });
            CHECK(nested.empty());
        }
    }
}

TEST_CASE("profile: what is wrong names place, pointer, what was found and what would do") {
    CHECK(problems(entry(R"("pfc": {"priorities": [9]})")) ==
          Lines{"main.json:1:73: /ports/0/pfc/priorities/0: found 9, expected 0..7"});
    CHECK(wrong(R"("dscp": {"map": {"64": 3}})") ==
          "/ports/0/dscp/map/64: found '64', expected 0..63");
    CHECK(wrong(R"("dscp.map": {"26": 8})") == "/ports/0/dscp.map/26: found 8, expected 0..7");
    CHECK(wrong(R"("dscp.map": {"026": 3})") ==
          "/ports/0/dscp.map/026: found '026', expected 0..63");
    CHECK(wrong(R"("mtu": "9000")") ==
          R"(/ports/0/mtu: found the text "9000", expected a number without quotes, 68..65535)");
    CHECK(wrong(R"("mtu": 1500.5)") == "/ports/0/mtu: found 1500.5, expected 68..65535");
    CHECK(wrong(R"("mtu": -1)") == "/ports/0/mtu: found -1, expected 68..65535");
    CHECK(wrong(R"("mtu": 99999999999999999999)") ==
          "/ports/0/mtu: found 99999999999999999999, expected 68..65535");
    CHECK(wrong(R"("mtu": null)") == "/ports/0/mtu: found null, expected 68..65535");
    CHECK(wrong(R"("up": 1)") == "/ports/0/up: found 1, expected true or false");
    CHECK(wrong(R"("pfc": [3])") ==
          "/ports/0/pfc: found a list, expected an object of priorities, delay, "
          "cable_length, storm_prevention");
    CHECK(wrong(R"("pfc.priorities": [3, 3])") ==
          "/ports/0/pfc.priorities/1: found 3 again, expected each once");
    CHECK(wrong(R"("ets.bandwidth": [50, 50])") ==
          "/ports/0/ets.bandwidth: found 2 values, expected a list of 8 numbers, 0..100");
    CHECK(wrong(R"("dcbx": {"mode": "nic"})") ==
          "/ports/0/dcbx/mode: found 'nic', expected one of host, firmware");
    CHECK(wrong(R"("addresses": ["10.0.0.1"])") ==
          "/ports/0/addresses/0: found '10.0.0.1', expected ADDRESS/LENGTH");
    CHECK(wrong(R"("addresses": ["10.0.0.1/24", "10.0.0.1/16"])") ==
          "/ports/0/addresses/1: found '10.0.0.1' again, expected each once");
    CHECK(wrong(R"("routes": [{"to": "10.0.0.1/8"}])") ==
          "/ports/0/routes/0/to: found '10.0.0.1/8', which has host bits set; the network is "
          "10.0.0.0/8");
    CHECK(wrong(R"("routes": [{"via": "10.0.0.1"}])") ==
          "/ports/0/routes/0: found no 'to', expected one");
    CHECK(wrong(R"("routes": [{"to": "10.0.0.0/8", "dev": "eth0"}])")
              .find("found unknown key 'dev'") != std::string::npos);
    CHECK(wrong(R"("rdma": {"link": {"type": "rxe", "name": "a/b"}})") ==
          "/ports/0/rdma/link/name: found 'a/b', expected a device name");
    CHECK(wrong(R"("rdma": {"device": 3})") ==
          "/ports/0/rdma/device: found 3, expected a device name");
    CHECK(wrong(R"("mtu": 9000, "expect": 0)") == "/ports/0/expect: found 0, expected 1..65535");
}

TEST_CASE("profile: where a setting is expected, a group of them is told apart") {
    CHECK(wrong(R"("ring.rx": 512, "optional": ["ring"])") ==
          "/ports/0/optional/0: found 'ring', which is a group of settings, expected one of "
          "ring.rx, ring.tx");
}

TEST_CASE("profile: unknown keys are errors, and the near one is offered") {
    CHECK(wrong(R"("mut": 9000)") == "/ports/0/mut: found unknown key 'mut', did you mean 'mtu'?");
    CHECK(wrong(R"("pfc": {"priorites": [3]})") ==
          "/ports/0/pfc/priorites: found unknown key 'priorites', did you mean 'priorities'?");
    CHECK(wrong(R"("roce": {"prio": 3})") ==
          "/ports/0/roce/prio: found unknown key 'prio', expected one of priority, dscp, cnp, "
          "bandwidth, ecn, trust, libraries");
    CHECK(wrong(R"("speed": 100)") ==
          "/ports/0/speed: found 'speed', which is observed and cannot be set");
    CHECK(
        problems(R"({"format": 1, "things": {}})") ==
        Lines{"main.json:1:15: /things: found unknown key 'things', expected one of format, name, "
              "$schema, extends, roce, fabrics, host, switch, probe, accepted, ports"});
    CHECK(wrong(R"("optional": ["pfc.priority"])") ==
          "/ports/0/optional/0: found unknown key 'pfc.priority', did you mean "
          "'pfc.priorities'?");
    CHECK(wrong(R"("exact": ["mtu"])") ==
          "/ports/0/exact/0: found unknown key 'mtu', expected one of dscp.map, app.udp, "
          "dscp.rewrite, addresses, routes, neighbours, rules, egress_priority, "
          "ingress_priority, bond.members");
    CHECK(wrong(R"("pfc": {"priorities": [3]}, "pfc.priorities": [4])") ==
          "/ports/0/pfc.priorities: found 'pfc.priorities' again, first in line 1");
}

TEST_CASE("profile: ten errors in one file are ten lines, in order") {
    const Lines lines = problems(R"({
  "format": 2,
  "nmae": "x",
  "roce": {"priority": 9, "dscp": 64},
  "ports": [
    {"mtu": 9000},
    {"match": {}, "mtu": 1},
    {"match": {"name": "a", "drvier": "b"}, "up": "yes"},
    {"match": {"name": "a"}, "mtu": 1500, "mtu": 1501}
  ]
})");
    REQUIRE(lines.size() == 10);
    CHECK(lines[0] == "main.json:2:13: /format: found 2, expected 1");
    CHECK(lines[1] == "main.json:3:3: /nmae: found unknown key 'nmae', did you mean 'name'?");
    CHECK(lines[2] == "main.json:4:24: /roce/priority: found 9, expected 0..7");
    CHECK(lines[3] == "main.json:4:35: /roce/dscp: found 64, expected 0..63");
    CHECK(lines[4] == "main.json:6:5: /ports/0: found no 'match', expected one");
    CHECK(lines[5] ==
          "main.json:7:15: /ports/1/match: found an object, expected an object with at least one "
          "of name, driver, mac, pci, rdma, function");
    CHECK(lines[9] == "main.json:9:43: /ports/3/mtu: found 'mtu' again, expected each key once");
}

TEST_CASE("profile: extends merges objects key by key, appends ports, and the later wins") {
    const Profile profile = profiles::load(
        Files{{"main.json", R"({"format": 1, "name": "top", "extends": ["a", "b"],
                          "roce": {"bandwidth": 70},
                          "ports": [{"match": {"name": "c"}}]})"},
              {"a", R"({"format": 1, "name": "a", "roce": {"priority": 4, "cnp": {"dscp": 40}},
                  "ports": [{"match": {"name": "a"}}]})"},
              {"b", R"({"format": 1, "roce": {"priority": 5, "cnp": {"priority": 2}},
                  "ports": [{"match": {"name": "b"}}]})"}});
    CHECK(profile.name == "top");
    const DesiredState desired_values = resolve(profile, {}, profiles::host({profiles::port("c")}));
    CHECK(profiles::desired(desired_values, "c", "pfc.priorities") == "[5]");
    CHECK(profiles::desired(desired_values, "c", "dscp.map", "26") == "5");
    CHECK(profiles::desired(desired_values, "c", "dscp.map", "40") == "2");
    CHECK(profiles::desired(desired_values, "c", "ets.bandwidth") == "[30,0,0,0,0,70,0,0]");
    CHECK(profiles::find(desired_values, "c", "pfc.priorities")->origin.file == "b");
    REQUIRE(desired_values.findings.size() == 2);  // the entries of a and b match nothing here
    CHECK(desired_values.findings[0].text == "a:2: no port matches name a");
}

TEST_CASE("profile: what two ways of extends bring is there once") {
    const Profile profile = profiles::load(
        Files{{"main.json", R"({"format": 1, "extends": ["a", "b"]})"},
              {"a", R"({"format": 1, "extends": ["c"]})"},
              {"b", R"({"format": 1, "extends": ["c"]})"},
              {"c", R"({"format": 1, "ports": [{"match": {"name": "x"}, "mtu": 9000}]})"}});
    CHECK(profile.tree.find("ports")->items.size() == 1);
}

TEST_CASE("profile: problems of all files are said in one run, each with its own file") {
    CHECK(problems(Files{{"main.json", R"({"format": 1, "extends": ["a", "gone"], "x": 1})"},
                         {"a", R"({"format": 1, "roce": {"priority": 8}})"}}) ==
          Lines{"a:1:36: /roce/priority: found 8, expected 0..7",
                "main.json:1:32: /extends/1: found 'gone': no such file",
                "main.json:1:41: /x: found unknown key 'x', expected one of format, name, $schema, "
                "extends, roce, fabrics, host, switch, probe, accepted, ports"});
    CHECK(problems(Files{{"main.json", R"({"format": 1, "extends": ["a"], "x": 1})"}, {"a", "{"}})
              .size() == 2);
}

TEST_CASE("profile: a cycle names its files") {
    CHECK(problems(Files{{"main.json", R"({"format": 1, "extends": ["a"]})"},
                         {"a", R"({"format": 1, "extends": ["main.json"]})"}}) ==
          Lines{"a:1:27: /extends/0: found a cycle: main.json extends a extends main.json"});
    CHECK(problems(Files{{"main.json", R"({"format": 1, "extends": ["main.json"]})"}}).size() == 1);
}

TEST_CASE("profile: desired values that contradict each other are found in the files alone") {
    CHECK(wrong(R"("pfc.priorities": [3], "pause": {"rx": true})") ==
          "/ports/0/pause/rx: pause.rx: link-level pause (rx) is on beside PFC: it stops every "
          "priority, and no device runs both; state pause.rx false");
    CHECK(wrong(R"("roce": {}, "pause.tx": true)").starts_with("/ports/0/pause.tx: pause.tx: "));
    CHECK(wrong(R"("roce": {}, "rdma.default_tos": 40)") ==
          "/ports/0/rdma.default_tos: rdma.default_tos: ToS 40 is DSCP 10, which is mapped to "
          "priority 1, and that is not lossless; state rdma.default_tos of the RoCE DSCP times 4 "
          "plus 2");
    CHECK(wrong(R"("roce": {}, "ecn.cnp_dscp": 46)")
              .find("CNP DSCP 46 is programmed and gets priority 5, while that of notifications is "
                    "6") != std::string::npos);
    CHECK(wrong(R"("pfc.priorities": [3], "ecn.cnp_priority": 3)")
              .find("CNPs are sent in priority 3, which is lossless") != std::string::npos);
    CHECK(wrong(R"("roce": {}, "pfc.priorities": [3, 6])")
              .find("congestion notifications is made lossless") != std::string::npos);
    CHECK(wrong(R"("roce": {}, "dscp.map": {"48": null})")
              .find("DSCP 48 of congestion notifications is not to be mapped") !=
          std::string::npos);
    CHECK(wrong(R"("roce": {"cnp": {"priority": 3}})")
              .find("roce.cnp.priority: found 3, which is roce.priority") != std::string::npos);
    CHECK(wrong(R"("roce": {}, "dscp.trust": "pcp")").find("does not trust DSCP") !=
          std::string::npos);
    CHECK(wrong(R"("roce": {}, "mtu": 800)").find("gives an RDMA MTU of 512") != std::string::npos);
    CHECK(
        wrong(
            R"("ets": {"algorithm": ["ets","ets","strict","strict","strict","strict","strict","strict"],
                    "bandwidth": [50,40,0,0,0,0,0,0]})")
            .find("sum to 90, expected 100") != std::string::npos);
    CHECK(wrong(R"("pfc.priorities": [0,1,2,3,4,5,6,7])").find("all eight") != std::string::npos);
    CHECK(
        wrong(R"("routes": [{"to": "10.0.0.0/8"}, {"to": "2001:db8::/32", "via": "10.1.0.1"}])") ==
        "/ports/0/routes/1: routes: the route to 2001:db8::/32 has a gateway of the other "
        "family, 10.1.0.1; state a source of the destination's family, and for an IPv6 destination "
        "an IPv6 gateway");
    // Where the NIC sets ECT itself, the ToS need not.
    CHECK(wrong(R"("roce": {}, "rdma.default_tos": 104)").find("ToS 104 is DSCP 26 without ECT") !=
          std::string::npos);
    CHECK(wrong(R"("roce": {"ecn": false}, "rdma.default_tos": 104)") == "0 problems");
    CHECK(problems(entry(R"("roce": {}, "rdma.default_tos": 104)",
                         R"("driver": ["mlx5_core", "bnxt_en"])"))
              .empty());
    CHECK(wrong(R"("pfc.priorities": [3], "ets.traffic_class": [0, 1, 2, 2, 4, 5, 6, 7])")
              .find("lossless priority 3 shares traffic class 2 with priority 2") !=
          std::string::npos);
    CHECK(wrong(R"("pfc.priorities": [2, 3], "ets.traffic_class": [0, 1, 2, 2, 4, 5, 6, 7])") ==
          "0 problems");
    // What is not known yet says nothing.
    CHECK(problems(entry(R"("pfc.priorities": ["${p}"], "pause.rx": true)")).empty());
    // What only one driver cannot do is no concern of an entry for another.
    CHECK(problems(entry(R"("roce": {}, "dscp.map": {"26": null}, "rdma.default_tos": 106)",
                         R"("driver": "mlx5_core")"))
              .empty());
}

TEST_CASE("profile: variables are checked for form and place") {
    CHECK(wrong(R"("mtu": "${")") == "/ports/0/mtu: found '${', expected ${NAME} or ${NAME + 1}");
    CHECK(wrong(R"("mtu": "${a b}")").starts_with("/ports/0/mtu: found '${a b}'"));
    CHECK(wrong(R"("routes": [{"to": "10.0.0.0/8", "table": "${index + 101}"}])")
              .find("expected 'expect' beside it") != std::string::npos);
    CHECK(problems(entry(R"("expect": 2, "routes": [{"to": "10.0.0.0/8",
                            "table": "${index + 101}"}])"))
              .empty());
    const Lines lines = problems(entry("", R"("name": "${port}")"));
    REQUIRE(lines.size() == 1);
    CHECK(lines.front().find("before a port is matched") != std::string::npos);
}

}  // namespace profile_test
