// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/profiles.hpp"

namespace resolve_test {

using namespace core;
using profiles::desired;
using profiles::entry;
using profiles::host;
using profiles::port;
using Names = std::vector<std::string>;

namespace {

DesiredState resolved(const std::string& text, const State& state,
                      const Variables& variables = {}) {
    return resolve(profiles::load(text), variables, state);
}

Names matched(const std::string& match, const State& state) {
    return resolved(entry("", match), state).ports;
}

std::vector<std::string> refused(const std::string& text, const State& state,
                                 const Variables& variables = {}) {
    try {
        resolved(text, state, variables);
    } catch (const Error& error) {
        CHECK(error.status() == Status::invalid_input);
        return error.lines();
    }
    return {};
}

}  // namespace

TEST_CASE("match: by each condition, and all of them") {
    State state =
        host({port("ens1f0", "mlx5_core", "0000:3b:00.0"),
              port("ens1f1", "mlx5_core", "0000:3b:00.1"), port("eth0", "ice"), port("lo", "")});
    state.ports[1].link->mac = "02:00:00:00:00:0f";
    state.ports[1].rdma_link = RdmaLink{.device = "mlx5_1"};
    CHECK(matched(R"("name": "ens*")", state) == Names{"ens1f0", "ens1f1"});
    CHECK(matched(R"("name": "ens1f[1-9]")", state) == Names{"ens1f1"});
    CHECK(matched(R"("name": ["eth?", "ens1f0"])", state) == Names{"ens1f0", "eth0"});
    CHECK(matched(R"("driver": "ice")", state) == Names{"eth0"});
    CHECK(matched(R"("driver": "mlx5_core", "pci": "3b:00.1")", state) == Names{"ens1f1"});
    CHECK(matched(R"("mac": "02:00:00:00:00:0F")", state) == Names{"ens1f1"});
    CHECK(matched(R"("rdma": "mlx5_1")", state) == Names{"ens1f1"});
    CHECK(matched(R"("name": "ens*", "driver": "ice")", state).empty());
    CHECK(matched(R"("name": "*")", state) == Names{"ens1f0", "ens1f1", "eth0"});
    CHECK(matched(R"("name": "lo")", state) == Names{"lo"});
}

TEST_CASE("match: ports come in PCI order, those without one behind, eth2 before eth10") {
    const State state = host({port("eth10"), port("b", "x", "0000:3b:00.1"), port("eth2"),
                              port("z", "x", "0000:3b:00.0")});
    CHECK(matched(R"("name": "*")", state) == Names{"z", "b", "eth2", "eth10"});
}

TEST_CASE("resolve: a profile that matches nothing is never green") {
    const DesiredState none = resolved(R"({"format": 1, "roce": {}})", host({port("a")}));
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings[0].id == "no-match");
    CHECK(none.findings[0].level == Finding::Level::failure);
    const DesiredState other = resolved(entry("", R"("name": "x*")"), host({port("a")}));
    REQUIRE(other.findings.size() == 1);
    CHECK(other.findings[0].id == "no-match");
    CHECK(other.findings[0].text == "main.json:1: no port matches name x*");
}

TEST_CASE("resolve: a driver that no port has is reported with those that are there") {
    const State state = host({port("a", "mlx5_core"), port("b", "igb"), port("c", "igb")});
    const DesiredState none = resolved(entry("", R"("driver": "mlx5*")"), state);
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings[0].remedy ==
          "driver has the whole name of one; the ports that come into question have igb, "
          "mlx5_core");
    const DesiredState named = resolved(entry("", R"("driver": "igb", "name": "x")"), state);
    REQUIRE(named.findings.size() == 1);
    CHECK(named.findings[0].remedy == "rocectl show lists the ports of this host");
}

TEST_CASE("resolve: fewer or more ports than expected is a failure that lists them") {
    const State state = host({port("a"), port("b")});
    CHECK(resolved(entry(R"("expect": 2, "mtu": 9000)"), state).findings.empty());
    const DesiredState more = resolved(entry(R"("expect": 1)"), state);
    REQUIRE(more.findings.size() == 1);
    CHECK(more.findings[0].id == "expect");
    CHECK(more.findings[0].text == "main.json:1: 2 ports match name * (a, b), expected 1");
    CHECK(resolved(entry(R"("expect": 3)"), state).findings.size() == 1);
}

TEST_CASE("resolve: two entries that differ on one element are in conflict, both named") {
    const DesiredState desired_values = resolved(R"({"format": 1, "ports": [
{"match": {"name": "a"}, "mtu": 9000, "up": true, "addresses": ["10.0.0.1/24"]},
{"match": {"name": "*"}, "expect": 1, "mtu": 1500, "up": true,
 "addresses": ["10.0.0.1/16", "10.0.1.1/24"]}]})",
                                                 host({port("a")}));
    REQUIRE(desired_values.findings.size() == 2);
    CHECK(desired_values.findings[0].id == "conflict");
    CHECK(desired_values.findings[0].port == "a");
    CHECK(desired_values.findings[0].key == "mtu");
    CHECK(desired_values.findings[0].text ==
          "main.json:2 states 9000, but main.json:3 states 1500");
    CHECK(desired_values.findings[1].key == "addresses");
    CHECK(desired_values.findings[1].element == "10.0.0.1");
    CHECK(desired(desired_values, "a", "up") == "on");
    CHECK(desired(desired_values, "a", "addresses", "10.0.1.1") == "10.0.1.1/24");
    CHECK(desired_values.ports == Names{"a"});
}

TEST_CASE("resolve: two entries of one line in conflict are told apart by their pointers") {
    const auto conflicts = [](const std::string& one, const std::string& other) {
        Names texts;
        for (const Finding& finding :
             resolved(R"({"format": 1, "ports": [{"match": {"name": "a"}, )" + one +
                          R"(}, {"match": {"name": "*"}, )" + other + "}]}",
                      host({port("a")}))
                 .findings)
            texts.push_back(finding.key + ": " + finding.text);
        return texts;
    };
    CHECK(conflicts(R"("mtu": 9000)", R"("mtu": 1500)") ==
          Names{"mtu: main.json:1 at /ports/0/mtu states 9000, but "
                "main.json:1 at /ports/1/mtu states 1500"});
    CHECK(conflicts(R"("pfc": {"priorities": [3]})", R"("pfc.priorities": [4])") ==
          Names{"pfc.priorities: main.json:1 at /ports/0/pfc/priorities states [3], but "
                "main.json:1 at /ports/1/pfc.priorities states [4]"});
    CHECK(conflicts(R"("rdma.device": "mlx5_0")", R"("rdma": {"device": "rxe0"})") ==
          Names{"rdma.device: main.json:1 at /ports/0 states mlx5_0, but "
                "main.json:1 at /ports/1 states rxe0"});
    CHECK(conflicts(R"("roce": {"dscp": 26})", R"("roce": {"dscp": 27, "ecn": true})") ==
          Names{"roce.dscp: main.json:1 at /ports/0/roce/dscp states 26, but "
                "main.json:1 at /ports/1/roce/dscp states 27"});
    CHECK(conflicts(R"("roce": {"cnp": null})", R"("roce": {"cnp": {"dscp": 46}})") ==
          Names{"roce.cnp: main.json:1 at /ports/0/roce/cnp states null, but "
                R"(main.json:1 at /ports/1/roce/cnp states {"dscp": 46})"});
}

TEST_CASE("resolve: what is stated wins over what is derived, also across entries") {
    const DesiredState desired_values = resolved(R"({"format": 1, "ports": [
{"match": {"name": "a"}, "roce": {}},
{"match": {"name": "*"}, "up": false, "dscp.map": {"48": 5}}]})",
                                                 host({port("a")}));
    CHECK(desired_values.findings.empty());
    CHECK(desired(desired_values, "a", "up") == "off");
    CHECK(desired(desired_values, "a", "dscp.map", "48") == "5");
    CHECK(desired(desired_values, "a", "dscp.map", "26") == "3");
}

TEST_CASE("resolve: what two entries contradict each other in is a failure of the host") {
    const DesiredState desired_values = resolved(R"({"format": 1, "ports": [
{"match": {"name": "a"}, "roce": {}},
{"match": {"name": "*"}, "pause.rx": true}]})",
                                                 host({port("a")}));
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "pfc-with-rx-pause");
    CHECK(desired_values.findings[0].key == "pause.rx");
}

TEST_CASE("resolve: an entry's roce wins key by key, and null opts out") {
    const std::string text = R"({"format": 1, "roce": {"priority": 4, "dscp": 34}, "ports": [
{"match": {"name": "a"}},
{"match": {"name": "b"}, "roce": {"dscp": 35}},
{"match": {"name": "c"}, "roce": null, "mtu": 1500}]})";
    const DesiredState desired_values = resolved(text, host({port("a"), port("b"), port("c")}));
    CHECK(desired(desired_values, "a", "dscp.map", "34") == "4");
    CHECK(desired(desired_values, "b", "dscp.map", "35") == "4");
    CHECK(desired(desired_values, "b", "dscp.map", "34") ==
          "0");  // as any that would be lossless by eights
    CHECK(desired(desired_values, "c", "pfc.priorities") == "not desired");
    CHECK(desired(desired_values, "c", "mtu") == "1500");
    const Desired* derived = profiles::find(desired_values, "b", "dscp.map", "35");
    CHECK(core::text(derived->origin) == "derived from roce.dscp (main.json:3)");
    CHECK(core::text(profiles::find(desired_values, "b", "pfc.priorities")->origin) ==
          "derived from roce.priority (main.json:1)");
}

TEST_CASE("resolve: the roce of several entries is one for a port, whatever their order") {
    const std::string driver = R"({"match": {"driver": "mlx5_core"}, "roce": {"dscp": 35}})";
    const std::string addresses = R"({"match": {"name": "a"}, "addresses": ["10.0.0.1/24"]})";
    const std::string share = R"({"match": {"name": "*"}, "roce": {"bandwidth": 70}})";
    const auto ports = [&](const std::string& roce, const Names& entries) {
        std::string text = R"({"format": 1, "roce": )" + roce + R"(, "ports": [)";
        for (const std::string& one : entries)
            text += (text.ends_with('[') ? "" : ", ") + one;
        return resolved(text + "]}", host({port("a")}));
    };
    for (const Names& entries : {Names{driver, addresses, share},
                                 {share, driver, addresses},
                                 {addresses, share, driver}}) {
        const DesiredState desired_values = ports(R"({"priority": 4, "dscp": 34})", entries);
        CHECK(desired_values.findings.empty());
        CHECK(desired(desired_values, "a", "dscp.map", "35") == "4");
        CHECK(desired(desired_values, "a", "dscp.map", "34") == "0");
        CHECK(desired(desired_values, "a", "ets.bandwidth") == "[30,0,0,0,70,0,0,0]");
        CHECK(desired(desired_values, "a", "addresses", "10.0.0.1") == "10.0.0.1/24");
    }
    const std::string none = R"({"match": {"name": "*"}, "roce": null, "mtu": 9000})";
    for (const Names& entries : {Names{none, driver}, {driver, none}, {none, addresses}}) {
        const DesiredState desired_values = ports("{}", entries);
        CHECK(desired_values.findings.empty());
        CHECK(desired(desired_values, "a", "mtu") == "9000");
        CHECK(desired(desired_values, "a", "pfc.priorities") == "not desired");
    }
    const DesiredState optional =
        ports("{}", {driver, R"({"match": {"name": "a"}, "optional": ["ecn.notify"]})"});
    CHECK(profiles::find(optional, "a", "ecn.notify", "3")->optional);
}

TEST_CASE("resolve: while a port is missing, nothing hangs on the position of the others") {
    const std::string text = R"({"format": 1, "ports": [{"match": {"name": "ens*"}, "expect": 3,
"mtu": 9000, "addresses": ["10.0.0.${index + 1}/24"], "rules": [{"from": "${own}",
"table": "${index + 101}"}], "routes": [{"to": "10.0.0.0/8", "table": "${index + 101}"}],
"exact": ["routes"]}]})";
    Variables variables;
    for (const char* name : {"ens0", "ens1", "ens2", "eth9"})
        variables.ports[name]["own"] = std::string("10.1.0.") + name[3];
    const DesiredState desired_values =
        resolved(text, host({port("ens0"), port("ens2")}), variables);
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "expect");
    CHECK(desired_values.findings[0].text ==
          "main.json:1: 2 ports match name ens* (ens0, ens2), expected 3; not there: ens1");
    CHECK(desired_values.desired_values.size() == 2);
    CHECK(desired(desired_values, "ens2", "mtu") == "9000");
    CHECK(desired_values.exact.empty());
    const DesiredState none = resolved(text, host({port("eth9")}), variables);
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings[0].text ==
          "main.json:1: no port matches name ens*; not there: ens0, ens1, ens2");
    CHECK(resolved(text, host({port("ens0"), port("ens1"), port("ens2")}), variables)
              .findings.empty());
    // What roce comes to is not known either, where a position is in it.
    const DesiredState roce = resolved(
        R"({"format": 1, "roce": {}, "ports": [{"match": {"name": "*"}, "expect": 2, "mtu": 9000,
"roce": {"dscp": "${index + 30}"}}]})",
        host({port("ens0")}));
    REQUIRE(roce.findings.size() == 1);
    CHECK(roce.desired_values.size() == 1);
}

TEST_CASE("resolve: an address of one port is no other's, offline and on the host") {
    const auto several = [](const std::string& match, const std::string& settings) {
        return profiles::problems(entry(settings + R"("addresses": ["10.0.0.1/24"])", match));
    };
    CHECK(several(R"("name": "ens*")", "") ==
          Names{"main.json:1:67: /ports/0/addresses/0: found 10.0.0.1 for every port that matches "
                "name ens*, expected an address of one port: \"expect\": 1, or ${address} and a "
                "value for each port in --vars"});
    CHECK(several(R"("driver": "ice")", "").size() == 1);
    CHECK(several(R"("name": ["a", "b"])", "").size() == 1);
    CHECK(several(R"("name": "a")", R"("expect": 2, )").size() == 1);
    for (const char* match : {R"("name": "a")", R"("driver": "ice", "pci": "3b:00.0")",
                              R"("mac": "02:00:00:00:00:0f")", R"("name": "${nic}")"})
        CHECK(several(match, "").empty());
    CHECK(several(R"("driver": "ice")", R"("expect": 1, )").empty());
    CHECK(profiles::problems(entry(R"("addresses": ["fe80::1/64"])")).empty());
    CHECK(profiles::problems(entry(R"("vlans": {"7": {"addresses": ["10.0.0.1/24"]}})")).size() ==
          1);

    const State state = host({port("a"), port("b")});
    const Variables same{.host = {{"address", "10.0.0.1"}}};
    const DesiredState desired_values =
        resolved(entry(R"("addresses": ["${address}/24"])"), state, same);
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "address-twice");
    CHECK(desired_values.findings[0].port == "b");
    CHECK(desired_values.findings[0].text == "main.json:1 states 10.0.0.1 here, main.json:1 on a");
}

TEST_CASE("resolve: who trusts the VLAN tag has a VLAN that tags") {
    const auto wrong = [](const std::string& rest) {
        return profiles::problems(R"({"format": 1, "roce": {"trust": "pcp"}, "ports": [)" + rest +
                                  "]}");
    };
    CHECK(wrong(R"({"match": {"name": "a"}, "mtu": 9000})") ==
          Names{"main.json:1:24: roce.trust: found pcp, and no VLAN with egress_priority, so that "
                "nothing puts a priority into a tag; expected 'vlans' with egress_priority in the "
                "entry, or dscp"});
    CHECK(wrong(R"({"match": {"name": "a"}, "vlans": {"7": {"mtu": 9000}}})").size() == 1);
    const std::string child = R"("vlans": {"7": {"egress_priority": {"2": 3}}}})";
    CHECK(wrong(R"({"match": {"name": "a"}, )" + child).empty());
    CHECK(wrong(R"({"match": {"name": "a"}, "roce": null, "mtu": 9000})").empty());
    CHECK(wrong(R"({"match": {"name": "a"}}, {"match": {"name": "a.7"},
        "egress_priority": {"2": 3}})")
              .empty());
    // Only the host shows that the VLAN is another port's.
    const std::string other = R"({"format": 1, "roce": {"trust": "pcp"}, "ports": [
{"match": {"name": "b"}}, {"match": {"name": "a"}, )";
    const State state = host({port("a"), port("b")});
    const DesiredState desired_values = resolved(other + child + "]}", state);
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "untagged");
    CHECK(desired_values.findings[0].port == "b");
    State made = state;
    made.ports.push_back(port("b.9"));
    made.ports[2].link->vlan = 9;
    made.ports[2].link->lower = "b";
    CHECK(resolved(other + child + R"(, {"match": {"name": "b.9"}, "roce": null,
"egress_priority": {"2": 3}}]})",
                   made)
              .findings.empty());
}

TEST_CASE("resolve: a port with an RDMA device and without roce is worth a note") {
    State state = host({port("a")});
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0"};
    const DesiredState desired_values = resolved(entry(R"("mtu": 9000)"), state);
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "no-roce");
    CHECK(desired_values.findings[0].level == Finding::Level::note);
    CHECK(resolved(entry(R"("mtu": 9000, "roce": null)"), state).findings.empty());
    const DesiredState none = resolved(entry(""), state);
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings[0].id == "no-wish");
    CHECK(resolved(entry(R"("mtu": 9000, "roce": {})"), state).findings.empty());
    CHECK(resolved(entry(R"("mtu": 9000, "pfc.priorities": [])"), state).findings.empty());
}

TEST_CASE("resolve: absence is null in a map and a record, and absent in a list") {
    const DesiredState desired_values = resolved(entry(R"("dscp.map": {"26": null, "27": 3},
        "rdma.link": null, "expect": 1,
        "addresses": ["10.0.0.2/24", {"address": "10.0.0.1/24", "absent": true}],
        "routes": [{"to": "10.0.0.0/8", "absent": true}, {"to": "10.1.0.0/16", "table": 7}])"),
                                                 host({port("a")}));
    CHECK(desired(desired_values, "a", "dscp.map", "26") == "none");
    CHECK(desired(desired_values, "a", "dscp.map", "27") == "3");
    CHECK(desired(desired_values, "a", "rdma.link") == "none");
    CHECK(desired(desired_values, "a", "addresses", "10.0.0.1") == "none");
    CHECK(desired(desired_values, "a", "addresses", "10.0.0.2") == "10.0.0.2/24");
    CHECK(desired(desired_values, "a", "routes", "10.0.0.0/8 main 0") == "none");
    CHECK(desired(desired_values, "a", "routes", "10.1.0.0/16 7 0").starts_with("10.1.0.0/16"));
}

TEST_CASE("resolve: optional and exact") {
    const DesiredState desired_values = resolved(
        entry(R"("roce": {}, "optional": ["pfc.priorities"], "exact": ["routes", "dscp.map"])"),
        host({port("a")}));
    CHECK(profiles::find(desired_values, "a", "pfc.priorities")->optional);
    CHECK_FALSE(profiles::find(desired_values, "a", "up")->optional);
    REQUIRE(desired_values.exact.size() ==
            2);  // the derived one for the lossless priority is covered
    CHECK(desired_values.exact[0].field->key == "routes");
    CHECK(desired_values.exact[0].port == "a");
    CHECK_FALSE(desired_values.exact[1].only);
    const DesiredState derived = resolved(entry(R"("roce": {})"), host({port("a")}));
    REQUIRE(derived.exact.size() == 1);
    CHECK(derived.exact[0].field->key == "dscp.map");
    CHECK(derived.exact[0].only == Value(std::uint64_t{3}));
}

TEST_CASE("variables: --set wins over the port's, the port's over the host's") {
    Variables variables = load_variables(
        {"vars.json", R"({"host": {"mtu": 1500, "n": "a"}, "ports": {"a": {"mtu": 4200}}})"});
    const State state = host({port("a"), port("b")});
    const std::string text = entry(R"("mtu": "${mtu}")");
    DesiredState desired_values = resolved(text, state, variables);
    CHECK(desired(desired_values, "a", "mtu") == "4200");
    CHECK(desired(desired_values, "b", "mtu") == "1500");
    variables.set["mtu"] = "9000";
    desired_values = resolved(text, state, variables);
    CHECK(desired(desired_values, "a", "mtu") == "9000");
    CHECK(resolved(entry("", R"("name": "${n}")"), state, variables).ports == Names{"a"});
}

TEST_CASE("variables: the built-in ones, and sums") {
    const DesiredState desired_values =
        resolved(entry(R"("expect": 2,
        "rdma": {"link": {"type": "rxe", "name": "r_${port}_${hostname}"}},
        "pfc": {"priorities": ["${index + 1 + 2}"]},
        "up": "${on}",
        "routes": [{"to": "10.0.0.0/8", "table": "${index + 101}"}])"),
                 host({port("b"), port("a")}), {.set = {{"on", "true"}}});
    CHECK(desired(desired_values, "b", "rdma.link").find("r_b_node1") != std::string::npos);
    CHECK(desired(desired_values, "a", "pfc.priorities") == "[3]");
    CHECK(desired(desired_values, "b", "pfc.priorities") == "[4]");
    CHECK(desired(desired_values, "b", "up") == "on");
    CHECK(profiles::find(desired_values, "a", "routes", "10.0.0.0/8 101 0") != nullptr);
    CHECK(profiles::find(desired_values, "b", "routes", "10.0.0.0/8 102 0") != nullptr);
}

TEST_CASE("variables: a name that stands for nothing and an illegal value are errors") {
    const State state = host({port("a")});
    CHECK(refused(entry(R"("mtu": "${mtu}")"), state) ==
          Names{"main.json:1:57: /ports/0/mtu: found ${mtu}, which stands for nothing on a, "
                "expected --set mtu=VALUE or a value in --vars"});
    const Names near = refused(entry(R"("mtu": "${mtuu}")"), state, {.set = {{"mtu", "9000"}}});
    REQUIRE(near.size() == 1);
    CHECK(near[0].find("did you mean ${mtu}?") != std::string::npos);
    CHECK(refused(entry(R"("mtu": "${mtu}")"), state, {.set = {{"mtu", "9"}}}) ==
          Names{"main.json:1:57: /ports/0/mtu: found 9, expected 68..65535"});
    CHECK(refused(entry(R"("mtu": "${mtu + 1}")"), state, {.set = {{"mtu", "x"}}}).size() == 1);
    CHECK(refused(entry(R"("addresses": ["${a}/24"])"), state, {.set = {{"a", "x"}}}) ==
          Names{"main.json:1:64: /ports/0/addresses/0: found 'x/24', expected ADDRESS/LENGTH"});
    CHECK(refused(entry("", R"("name": "${n}")"), state).size() == 1);
}

TEST_CASE("variables: what is missing on many ports is told once, with the ports") {
    std::vector<Port> ports;
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"})
        ports.push_back(port(name));
    const Names refusal = refused(entry(R"("mtu": "${mtu}", "addresses": ["${address}/31"],
        "routes": [{"to": "10.0.0.0/8", "via": "${gateway}", "source": "${address}"}])"),
                                  host(std::move(ports)));
    REQUIRE(refusal.size() == 3);
    CHECK(refusal[0] ==
          "main.json:1:57: /ports/0/mtu: found ${mtu}, which stands for nothing on a, b, c, d, e, "
          "f, g, h, expected --set mtu=VALUE or a value in --vars");
    CHECK(refusal[1].find("/ports/0/addresses/0: found ${address}, which stands for nothing on a, "
                          "b, c, d, e, f, g, h, expected") != std::string::npos);
    CHECK(refusal[2].find("/ports/0/routes/0/via: found ${gateway}") != std::string::npos);
    const Names some = refused(entry(R"("mtu": "${mtu}")"), host({port("a"), port("b"), port("c")}),
                               {.ports = {{"b", {{"mtu", "9000"}}}}});
    REQUIRE(some.size() == 1);
    CHECK(some[0].find("which stands for nothing on a, c, expected") != std::string::npos);
}

TEST_CASE("variables: the ports on which a name stands for nothing are told each, up to sixteen") {
    const auto told = [](std::size_t count, const Variables& variables) {
        std::vector<Port> ports;
        for (std::size_t i = 0; i < count; ++i)
            ports.push_back(port("r" + std::to_string(i)));
        const Names refusal =
            refused(entry(R"("mtu": "${mtu}")"), host(std::move(ports)), variables);
        REQUIRE(refusal.size() == 1);
        const std::size_t from = refusal[0].find("on r");
        REQUIRE(from != std::string::npos);
        return refusal[0].substr(from, refusal[0].find(", expected") - from);
    };
    const std::map<std::string, std::string> given = {{"mtu", "9000"}};
    CHECK(told(8, {.ports = {{"r1", given}, {"r2", given}, {"r4", given}, {"r6", given}}}) ==
          "on r0, r3, r5, r7");
    const std::string fifteen =
        "on r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14";
    CHECK(told(16, {}) == fifteen + ", r15");
    CHECK(told(17, {}) == fifteen + " and 2 more");
}

TEST_CASE("variables: a name that --set gives and nothing uses is an error of the profile") {
    const auto given = [](const std::map<std::string, std::string>& values) -> Names {
        const Loader base = [](const std::string&, const std::string&) -> Source {
            return {"base.json", R"({"format": 1, "roce": {"priority": "${p}", "dscp": "${d}"}})"};
        };
        const std::string text = R"({"format": 1, "name": "${title}", "extends": ["base"],
"roce": {"dscp": 26}, "ports": [{"match": {"name": "${nic}"},
"mtu": "${mtu}", "addresses": ["${port}.${net + 1}/24"]}]})";
        try {
            load_profile({"main.json", text}, base, values);
        } catch (const Error& error) {
            CHECK(error.status() == Status::invalid_input);
            return error.lines();
        }
        return {};
    };
    const std::string known = ", expected one of mtu, net, nic, p";
    CHECK(given({}).empty());
    CHECK(given({{"mtu", "9000"}, {"net", "7"}, {"nic", "a"}, {"p", "4"}}).empty());
    CHECK(given({{"nic", "a"}, {"mtuu", "9000"}, {"title", "x"}}) ==
          Names{"--set mtuu: main.json uses no ${mtuu}" + known,
                "--set title: main.json uses no ${title}" + known});
    // What nothing is left to use after `extends` is as good as unused.
    CHECK(given({{"d", "26"}}) == Names{"--set d: main.json uses no ${d}" + known});
    CHECK(given({{"port", "a"}}) == Names{"--set port: found a name that is built in"});
}

TEST_CASE("variables: a profile without any says so to --set") {
    try {
        load_profile({"main.json", entry(R"("mtu": 9000)")}, nullptr, {{"mtu", "1500"}});
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.lines() == Names{"--set mtu: main.json uses no ${mtu}, nor any other name"});
    }
}

TEST_CASE("variables: what --set gives is checked before any host is looked at") {
    const auto given = [](const std::map<std::string, std::string>& values) -> Names {
        const std::string text = R"({"format": 1, "roce": {"priority": "${p}"}, "ports": [
{"match": {"name": "a"}, "mtu": "${mtu}", "pfc.priorities": ["${p + 1}"], "optional": ["mtu"]}]})";
        try {
            load_profile({"main.json", text}, nullptr, values);
        } catch (const Error& error) {
            return error.lines();
        }
        return {};
    };
    CHECK(given({{"mtu", "9000"}}).empty());
    CHECK(given({{"mtu", "9"}}) ==
          Names{"main.json:2:33: /ports/0/mtu: found 9, expected 68..65535"});
    CHECK(given({{"p", "9"}}).size() == 2);
    CHECK(given({{"p", "x"}}).size() == 2);
}

TEST_CASE("variables: a bad file gives a line for each problem") {
    const auto lines = [](const std::string& text) -> Names {
        try {
            load_variables({"v", text});
        } catch (const Error& error) {
            return error.lines();
        }
        return {};
    };
    CHECK(lines(R"({"host": {"a": 1, "b": "x", "c": true}})").empty());
    CHECK(lines(R"({"hots": {}, "host": {"a": [], "port": "x"}, "ports": {"e": 3}})") ==
          Names{"v:1:2: /hots: found unknown key 'hots', did you mean 'host'?",
                "v:1:28: /host/a: found a list, expected a text or a number",
                "v:1:32: /host/port: found 'port', which is built in",
                "v:1:61: /ports/e: found 3, expected an object"});
    CHECK(lines("[]").size() == 1);
}

TEST_CASE("resolve: a port with two RDMA devices needs to be reported which") {
    State state = host({port("a")});
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0", .others = {"rxe0"}};
    const DesiredState open = resolved(entry(R"("roce": null, "rdma.default_tos": 106)"), state);
    REQUIRE(open.findings.size() == 1);
    CHECK(open.findings[0].id == "rdma-device");
    CHECK(
        resolved(entry(R"("roce": null, "rdma": {"default_tos": 106, "device": "mlx5_0"})"), state)
            .findings.empty());
    const DesiredState other =
        resolved(entry(R"("roce": null, "rdma": {"default_tos": 106, "device": "rxe0"})"), state);
    REQUIRE(other.findings.size() == 1);
    CHECK(other.findings[0].text ==
          "main.json:1 states rxe0, but settings of this port go to mlx5_0");
}

TEST_CASE("wanted: only what tells ports apart is asked of the inventory") {
    Wanted named = wanted(profiles::load(entry("", R"("name": "ens*")")));
    CHECK(named.names == Names{"ens*"});
    CHECK(named.objects == Objects{Object::device, Object::link, Object::rdma_link});
    Wanted all = wanted(profiles::load(entry("", R"("rdma": "mlx5_0")")));
    CHECK(all.names == Names{"*"});
    CHECK(all.objects.contains(Object::rdma_link));
    CHECK(wanted(profiles::load(entry("", R"("name": "${nic}")"))).names == Names{"*"});
}

TEST_CASE("resolve: the shipped profiles come to what their report asks") {
    const Variables variables{.set = {{"nic", "ens1f0"},
                                      {"address", "192.168.100.1"},
                                      {"network", "192.168.100.0"},
                                      {"length", "24"}}};
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        INFO(driver.name);
        const State state = host({port("ens1f0", std::string(driver.name), "0000:3b:00.0")});
        const DesiredState db = resolved(profiles::shipped("db-cluster"), state, variables);
        CHECK(db.findings.empty());
        CHECK(desired(db, "ens1f0", "mtu") == "9000");
        CHECK(desired(db, "ens1f0", "pfc.priorities") == "[3]");
        CHECK(desired(db, "ens1f0", "dscp.map", "26") == "3");
        CHECK(desired(db, "ens1f0", "rdma.default_tos") == "106");
        CHECK(desired(db, "ens1f0", "addresses", "192.168.100.1") == "192.168.100.1/24");
        const Desired* route = profiles::find(db, "ens1f0", "routes", "192.168.100.0/24 main 0");
        REQUIRE(route != nullptr);
        const Record& record = std::get<Record>(*route->value);
        CHECK(record.at("source") == Scalar(std::string("192.168.100.1")));
        CHECK(record.at("scope") == Scalar(std::string("link")));
        CHECK(record.at("protocol") == Scalar(std::string("kernel")));
        const DesiredState soft = resolved(profiles::shipped("soft-roce"), state, variables);
        CHECK(soft.findings.empty());
        CHECK(desired(soft, "ens1f0", "rdma.link").find("rxe_ens1f0") != std::string::npos);
        CHECK(desired(soft, "ens1f0", "pfc.priorities") == "[3]");
    }
}

TEST_CASE(
    "match: no pattern means a VLAN, one that is yet to be made as little as one that is there") {
    const std::string text = R"({"format": 1, "ports": [
        {"match": {"name": "r0"}, "vlans": {"7": {}}}, {"match": {"name": "r*"}, "mtu": 4000}]})";
    const State before = profiles::host({profiles::port("r0")});
    State there = before;
    Port made = profiles::port("r0.7", "", "");
    made.link->kind = "vlan";
    made.link->vlan = 7;
    there.ports.push_back(made);
    for (const State& state : {before, there}) {
        const DesiredState desired_values = resolve(profiles::load(text), {}, state);
        CHECK(profiles::desired(desired_values, "r0.7", "mtu") == "not desired");
        CHECK(profiles::desired(desired_values, "r0", "mtu") == "4000");
    }
}

}  // namespace resolve_test
