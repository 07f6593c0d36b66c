// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/model/shell.hpp"
#include "core/plan/judge.hpp"
#include "tests/unit/hosts.hpp"

namespace plan_test {

using namespace core;

namespace {

std::string order(const Plan& plan) {
    std::string out;
    for (const Step& step : plan.steps)
        out += (out.empty() ? "" : " ") + std::string(row_of(step.object).name);
    return out;
}

std::string findings(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        out += std::string(word(finding.level)) + " " + std::string(finding.id) + " " +
               finding.key + "; ";
    return out;
}

/// ice after `dcb app add dscp-prio 26:3` and QoS on top of it.
State ice_with_one_entry() {
    State state = hosts::host("ice");
    Port& port = state.ports[0];
    port.pause = Pause{};
    port.app->entries = {{AppEntry::dscp, 26, 3}};
    port.ets->traffic_class = {0, 1, 2, 3, 4, 5, 6, 7};
    port.ets->bandwidth = {50, 0, 0, 50};
    port.pfc->priorities = 0x08;
    return state;
}

}  // namespace

TEST_CASE("plan: the chain is written in the order of the design, APP first on ice") {
    StateFile mlx5(hosts::host("mlx5_core"));
    CHECK(order(hosts::plan(mlx5, hosts::lossless("mlx5_core"))) ==
          "dcbx link pause ets maxrate pfc storm_prevention buffer app ecn rdma_link "
          "cm_directory cm_defaults addresses "
          "routes");
    StateFile ice(hosts::host("ice"));
    const std::string on_ice = order(hosts::plan(ice, hosts::lossless("ice")));
    CHECK(on_ice.find("app") < on_ice.find("ets"));
    CHECK(on_ice.find("app") < on_ice.find("pfc"));
}

TEST_CASE(
    "plan: on the way back on ice the last DSCP entry goes after ETS and PFC, which it would "
    "hide") {
    StateFile kernel(hosts::host("ice"));
    const DesiredState desired_values = hosts::lossless("ice");
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(core::apply(kernel, desired_values, plan).status == Status::done);
    const std::string back = order(hosts::plan(kernel, undo_profile(plan)));
    CHECK(back.find("app") > back.find("ets"));
    CHECK(back.find("app") > back.find("pfc"));
    CHECK(back.find("pfc") != std::string::npos);
}

TEST_CASE("plan: PFC goes off before pause comes on, and pause off before PFC comes on") {
    State state = hosts::host("mlx5_core");
    StateFile fresh(state);
    const DesiredState lossless = hosts::desired_values(
        {hosts::desired("pfc.priorities", Numbers{3}), hosts::desired("pause.rx", false),
         hosts::desired("pause.tx", false)});
    CHECK(order(hosts::plan(fresh, lossless)) == "pause pfc");
    state.ports[0].pause = Pause{};
    state.ports[0].pfc->priorities = 8;
    StateFile lossy(state);
    const DesiredState back = hosts::desired_values(
        {hosts::desired("pfc.priorities", Numbers{}), hosts::desired("pause.rx", true)});
    CHECK(order(hosts::plan(lossy, back)) == "pfc pause");
}

TEST_CASE("plan: on ice the only DSCP entry changes its priority, and ETS and PFC survive") {
    StateFile kernel(ice_with_one_entry());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("dscp.map", std::uint64_t{4}, "26")});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    const Port& after = kernel.state().ports[0];
    CHECK(after.app->entries == std::set<AppEntry>{{AppEntry::dscp, 26, 4}});
    CHECK(after.ets == before.ports[0].ets);
    CHECK(after.pfc == before.ports[0].pfc);
}

TEST_CASE("plan: what a reopened port loses, and nobody stated to be absent, is put back") {
    StateFile kernel(hosts::host("ice"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("ets.algorithm", Words(8, "ets"))});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(order(plan) == "ets addresses routes");
    CHECK(plan.steps[0].disruption == Disruption::link);
    CHECK(plan.steps[1].changes[0].origin.other.starts_with("kept"));
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    const auto& now = kernel.state().ports[0];
    for (const Address& address : *before.ports[0].addresses)
        CHECK(std::ranges::find(*now.addresses, address) != now.addresses->end());
    CHECK(differences(before.ports[0], now) == std::vector<std::string>{"ets.algorithm"});
}

TEST_CASE("plan: a NIC whose agent owns DCBX is infeasible, and the remedy is named") {
    for (const char* driver : {"ice", "bnxt_en"}) {
        State state = hosts::host(driver);
        state.ports[0].dcbx = Dcbx{.bits = Dcbx::lld_managed | Dcbx::ieee};
        StateFile kernel(state);
        const Plan plan = hosts::plan(kernel, hosts::lossless(driver));
        CHECK_FALSE(feasible(plan));
        const auto dcbx = std::ranges::find(plan.findings, "dcbx.mode", &Finding::key);
        REQUIRE(dcbx != plan.findings.end());
        CHECK(dcbx->remedy == driver_named(driver).dcbx.agent_remedy);
        CHECK(dcbx->level == Finding::Level::failure);
    }
}

TEST_CASE(
    "plan: an optional desired value that the device cannot hold is a note, and the rest is "
    "written") {
    StateFile kernel(hosts::host("ice"));
    Desired delay = hosts::desired("pfc.delay", std::uint64_t{100});
    delay.optional = true;
    const DesiredState desired_values = hosts::desired_values(
        {delay, hosts::desired("pfc.priorities", Numbers{3}), hosts::desired("pause.rx", false),
         hosts::desired("pause.tx", false)});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(feasible(plan));
    CHECK(findings(plan).find("note not-stored pfc.delay") != std::string::npos);
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[0].pfc->priorities == 8);
}

TEST_CASE(
    "plan: a device without the op is never green, but a derived desired value on an unknown one "
    "is a note") {
    State state = hosts::host("generic");
    state.ports[0].pfc.reset();
    state.ports[0].refused[Object::pfc] = {.code = 95, .text = "Operation not supported"};
    StateFile kernel(state);
    Desired stated = hosts::desired("pfc.priorities", Numbers{3});
    CHECK_FALSE(satisfied(hosts::plan(kernel, hosts::desired_values({stated}))));
    Desired derived = stated;
    derived.origin.derived_from = "roce.priority";
    const Plan plan = hosts::plan(kernel, hosts::desired_values({derived}));
    CHECK(satisfied(plan));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].text.find("Operation not supported (95)") != std::string::npos);
    state.ports[0].refused[Object::pfc] = {.code = 1, .text = "Operation not permitted"};
    StateFile locked(state);
    CHECK_FALSE(satisfied(hosts::plan(locked, hosts::desired_values({derived}))));
}

TEST_CASE("plan: a default that cannot be read is unknown before, known after, and restored") {
    State state = hosts::host("mlx5_core");
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0", .index = 1};
    state.ports[0].cm_directory = false;
    state.ports[0].cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 8};
    StateFile kernel(state);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("rdma.default_tos", std::uint64_t{106})});
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(order(plan) == "cm_directory cm_defaults");
    CHECK(plan.steps[1].changes[0].before_unknown);
    CHECK_FALSE(satisfied(plan));
    StateFile refusing(state);
    refusing.refuse(Object::cm_defaults, {.code = 5, .text = "Input/output error"});
    CHECK(core::apply(refusing, desired_values, plan).status == Status::brought_back);
    CHECK(refusing.state().ports[0].cm_defaults->tos == 8);
    CHECK_FALSE(*refusing.state().ports[0].cm_directory);
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[0].cm_defaults->tos == 106);
}

TEST_CASE("plan: a NIC's own RDMA device satisfies rdma.link with a note") {
    State state = hosts::host("mlx5_core");
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0", .index = 1};
    StateFile kernel(state);
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values(
                    {hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}})}));
    CHECK(satisfied(plan));
    CHECK(findings(plan) == "note moot rdma.link; ");
}

TEST_CASE("plan: a connected route that the kernel makes satisfies the desired value for it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("addresses", std::string("192.168.100.1/24")),
                               hosts::desired("routes", Record{{"to", "192.168.100.0/24"},
                                                               {"source", "192.168.100.1"},
                                                               {"scope", "link"},
                                                               {"protocol", "kernel"}})});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(order(plan) == "addresses");
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
}

TEST_CASE("plan: exact removes what nobody states, and puts back what goes with it") {
    StateFile kernel(hosts::host("mlx5_core"));
    DesiredState desired_values =
        hosts::desired_values({hosts::desired("addresses", std::string("198.18.0.2/24"))});
    desired_values.exact = {
        {.port = "ens1f0", .field = find_field("addresses"), .only = {}, .origin = {}}};
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(feasible(plan));
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    const Port& now = kernel.state().ports[0];
    REQUIRE(now.addresses->size() == 1);
    CHECK(text(now.addresses->front().ip) == "198.18.0.2");
    CHECK(element_of(now, *find_field("routes"), "10.0.0.0/8 main 0").has_value());
}

TEST_CASE("plan: a VLAN's MTU grows after that of the device below it") {
    State state = hosts::host("mlx5_core");
    Port vlan("ens1f0.100");
    vlan.link = Link{.kind = "vlan", .lower = "ens1f0", .vlan = 100, .up = true, .mtu = 1500};
    state.ports.insert(state.ports.begin(), vlan);
    StateFile kernel(state);
    DesiredState desired_values =
        hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000}, "", "ens1f0.100"),
                               hosts::desired("mtu", std::uint64_t{9000})});
    desired_values.ports = {"ens1f0.100", "ens1f0"};
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(plan.steps.size() == 2);
    CHECK(plan.steps[0].port == "ens1f0");
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
}

TEST_CASE("plan: commands spell the plan, and differ by driver where the change does") {
    StateFile ice(ice_with_one_entry());
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("dscp.map", std::uint64_t{4}, "26")});
    const auto lines = commands(hosts::plan(ice, desired_values));
    REQUIRE(lines.size() >= 4);
    const std::string reason =
        "  # stands in: with the last DSCP entry the QoS of the port is reset";
    CHECK(lines[0] == "dcb app add dev ens1f0 dscp-prio 63:0" + reason);
    CHECK(without_reason(lines[0]) == "dcb app add dev ens1f0 dscp-prio 63:0");
    CHECK(lines[1] == "dcb app del dev ens1f0 dscp-prio 26:3");
    CHECK(lines[2] == "dcb app add dev ens1f0 dscp-prio 26:4");
    CHECK(lines[3] == "dcb app del dev ens1f0 dscp-prio 63:0" + reason);
}

TEST_CASE("plan: commands put back the secondary addresses that go with their primary one") {
    State state = hosts::host("mlx5_core");
    for (const char* ip : {"198.18.0.2", "198.18.0.3"})
        state.ports[0].addresses->push_back({.ip = *parse_ip(ip), .prefix_length = 24});
    state.ports[0].routes->clear();
    StateFile host(state);
    using Lines = std::vector<std::string>;
    const auto lines = [&host](Desired desired) {
        return commands(hosts::plan(host, hosts::desired_values({std::move(desired)})));
    };
    CHECK(lines(hosts::no_desired("addresses", "198.18.0.1")) ==
          Lines{"ip address delete 198.18.0.1/24 dev ens1f0",
                "ip address add 198.18.0.2/24 dev ens1f0",
                "ip address add 198.18.0.3/24 dev ens1f0"});
    CHECK(lines(hosts::no_desired("addresses", "198.18.0.2")) ==
          Lines{"ip address delete 198.18.0.2/24 dev ens1f0"});
    CHECK(lines(hosts::desired("addresses", std::string("198.18.0.1/16"))) ==
          Lines{"ip address delete 198.18.0.1/24 dev ens1f0",
                "ip address add 198.18.0.1/16 dev ens1f0",
                "ip address add 198.18.0.2/24 dev ens1f0",
                "ip address add 198.18.0.3/24 dev ens1f0"});
}

TEST_CASE(
    "plan: absence is not known where the device failed to tell, and holds where it has none") {
    const DesiredState desired_values =
        hosts::desired_values({hosts::no_desired("dscp.map", "26")});
    const auto found = [&desired_values](int code) {
        State state = hosts::host("mlx5_core");
        state.ports[0].app.reset();
        state.ports[0].refused[Object::app] = {.code = code, .text = "no"};
        StateFile host(state);
        const Plan plan = hosts::plan(host, desired_values);
        CHECK(plan.steps.empty());
        return findings(plan);
    };
    CHECK(found(5) == "unknown unreadable dscp.map; ");
    CHECK(found(95).empty());
}

TEST_CASE("plan: a route that another port has is refused, not taken from it") {
    State state = hosts::host("mlx5_core");
    state.ports.push_back(hosts::port("mlx5_core", "ens1f1"));
    state.ports[0].routes->clear();
    const DesiredState desired_values = hosts::desired_values(
        {hosts::desired("routes", Record{{"to", "10.0.0.0/8"}, {"via", "198.18.0.254"}})});
    State connected = state;
    link::reopen(connected.ports[0]);
    StateFile host(connected);
    const Plan plan = hosts::plan(host, desired_values);
    CHECK_FALSE(feasible(plan));
    REQUIRE_FALSE(plan.findings.empty());
    CHECK(plan.findings[0].text.find("ens1f1 has the route 10.0.0.0/8 main 0") !=
          std::string::npos);
}

TEST_CASE("plan: optional excuses what a device cannot hold, not what cannot be read") {
    State state = hosts::host("mlx5_core");
    state.ports[0].pfc.reset();
    state.ports[0].refused[Object::pfc] = {.code = 5, .text = "Input/output error"};
    StateFile kernel(state);
    Desired desired = hosts::desired("pfc.priorities", Numbers{3});
    desired.optional = true;
    CHECK_FALSE(satisfied(hosts::plan(kernel, hosts::desired_values({desired}))));
}

TEST_CASE("plan: a step that takes away what nobody can put back is irreversible, and says what") {
    State state = hosts::host("mlx5_core");
    Port& port = state.ports[0];
    port.addresses = {{{.ip = *parse_ip("10.0.0.1"), .prefix_length = 24}}};
    port.addresses_beyond = {{.ip = *parse_ip("10.0.0.1"), .what = "noprefixroute"}};
    port.routes_beyond = {{.route = {.to = *parse_prefix("10.7.0.0/16")}, .what = "nexthops"}};
    StateFile kernel(state);
    const Plan up = hosts::plan(kernel, hosts::desired_values({hosts::desired("up", true)}));
    CHECK(up.steps.empty());
    const Plan down = hosts::plan(kernel, hosts::desired_values({hosts::desired("up", false)}));
    REQUIRE(down.steps.size() == 1);
    CHECK(down.steps[0].irreversible);
    std::set<std::string> said;
    for (const Finding& finding : down.findings)
        said.insert(finding.text);
    CHECK(said.contains("10.7.0.0/16 main 0 nexthops goes, and rocectl cannot put it back"));
    CHECK(
        said.contains("2001:db8:1::/48 main 1024 goes, and the kernel does not take it again: "
                      "nothing reaches its gateway 2001:db8::fe"));

    Desired gone = hosts::desired("addresses", std::string("10.0.0.1/24"));
    gone.element = "10.0.0.1";
    gone.value.reset();
    const Plan bare = hosts::plan(kernel, hosts::desired_values({gone}));
    REQUIRE_FALSE(bare.steps.empty());
    CHECK(bare.steps[0].irreversible);
    CHECK(find_port(bare.predicted, port.name)->addresses_beyond.empty());
}

TEST_CASE("plan: what a routing daemon made is its own: not removed, not lost, not drift") {
    State state = hosts::host("mlx5_core");
    Port& port = state.ports[0];
    constexpr std::uint8_t bgp = 186;
    constexpr std::uint8_t zebra = 11;
    port.routes->push_back({.to = *parse_prefix("10.9.0.0/16"),
                            .metric = 20,
                            .via = parse_ip("fe80::1"),
                            .protocol = bgp});
    port.routes_beyond = {
        {.route = {.to = *parse_prefix("10.7.0.0/16"), .protocol = bgp}, .what = "nexthops"},
        {.route = {.to = {}, .protocol = zebra}, .what = "nexthop 12"}};
    StateFile kernel(state);
    DesiredState exact = hosts::desired_values({});
    exact.exact.push_back({.port = port.name, .field = find_field("routes")});
    for (const Step& step : hosts::plan(kernel, exact).steps)
        for (const Change& change : step.changes)
            CHECK(change.element != "10.9.0.0/16 main 20");
    const Plan down = hosts::plan(kernel, hosts::desired_values({hosts::desired("up", false)}));
    for (const Step& step : down.steps)
        CHECK_FALSE(step.irreversible);
    for (const Desired& old : undo_profile(down).desired_values)
        CHECK(old.element != "10.9.0.0/16 main 20");
    State later = state;
    later.ports[0].routes->pop_back();
    later.ports[0].routes_beyond.clear();
    CHECK(compare(state, later).empty());
}

TEST_CASE(
    "plan: a daemon's route whose absence is stated is not met, goes, and undo puts it back") {
    const Field& routes = *find_field("routes");
    const std::string element = "10.77.0.0/16 main 20";
    const std::initializer_list<std::uint8_t> zebra_bgp_ospf = {11, 186, 188};
    for (const std::uint8_t protocol : zebra_bgp_ospf) {
        State state = hosts::host("mlx5_core");
        state.ports[0].routes->push_back({.to = *parse_prefix("10.77.0.0/16"),
                                          .metric = 20,
                                          .via = parse_ip("fe80::1"),
                                          .protocol = protocol});
        StateFile kernel(state);
        const DesiredState gone = hosts::desired_values({hosts::no_desired("routes", element)});
        CHECK_FALSE(holds(kernel.state().ports[0], gone.desired_values[0]));
        const Plan plan = hosts::plan(kernel, gone);
        CHECK_FALSE(satisfied(plan));
        REQUIRE(plan.steps.size() == 1);
        REQUIRE(plan.steps[0].changes.size() == 1);
        CHECK(plan.steps[0].changes[0].element == element);
        CHECK_FALSE(plan.steps[0].changes[0].after);
        const DesiredState old = undo_profile(plan);
        CHECK(std::ranges::count(old.desired_values, element, &Desired::element) == 1);
        CHECK(hosts::apply(kernel, gone).status == Status::done);
        CHECK(satisfied(hosts::plan(kernel, gone)));
        CHECK(hosts::apply(kernel, old).status == Status::done);
        CHECK(routes.get(kernel.state().ports[0]) == routes.get(state.ports[0]));
    }
}

TEST_CASE("plan: a route that is stated with a daemon's protocol holds, and undo takes it away") {
    const Field& routes = *find_field("routes");
    const State state = hosts::host("mlx5_core");
    StateFile kernel(state);
    const DesiredState stated =
        hosts::desired_values({hosts::desired("routes", Record{{"to", "10.77.0.0/16"},
                                                               {"via", "fe80::1"},
                                                               {"metric", std::uint64_t{20}},
                                                               {"protocol", "bgp"}})});
    const Plan plan = hosts::plan(kernel, stated);
    const DesiredState old = undo_profile(plan);
    CHECK(hosts::apply(kernel, stated).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, stated)));
    CHECK(hosts::apply(kernel, old).status == Status::done);
    CHECK(routes.get(kernel.state().ports[0]) == routes.get(state.ports[0]));
}

namespace {

/// Two ports, of which the profile states one address and one route each.
State two_ports(const std::string& first, const std::string& second) {
    State out = hosts::host("mlx5_core");
    out.ports.push_back(hosts::port("mlx5_core", "ens1f1"));
    std::uint32_t table = 101;
    for (const std::string& ip : {first, second}) {
        Port& port = out.ports[table - 101];
        port.addresses = {{.ip = *parse_ip(ip), .prefix_length = 31}};
        port.routes = {{.to = *parse_prefix("10.0.0.0/8"),
                        .table = ip == "10.1.0.1" ? 101U : 102U,
                        .via = parse_ip(ip == "10.1.0.1" ? "10.1.0.0" : "10.2.0.0")}};
        ++table;
    }
    return out;
}

DesiredState of_two_ports() {
    DesiredState out = hosts::desired_values(
        {hosts::desired("addresses", std::string("10.1.0.1/31")),
         hosts::desired("addresses", std::string("10.2.0.1/31"), {}, "ens1f1"),
         hosts::desired("routes",
                        Record{{"table", "101"}, {"to", "10.0.0.0/8"}, {"via", "10.1.0.0"}}),
         hosts::desired("routes",
                        Record{{"table", "102"}, {"to", "10.0.0.0/8"}, {"via", "10.2.0.0"}}, {},
                        "ens1f1")});
    out.ports = {"ens1f0", "ens1f1"};
    for (Desired& desired : out.desired_values)
        desired = with_element(desired);
    return out;
}

std::vector<std::string> told_of_moves(const Plan& plan) {
    std::vector<std::string> out;
    for (const Finding& finding : plan.findings)
        if (finding.id == "moved") out.push_back(finding.port + ": " + finding.text);
    return out;
}

}  // namespace

TEST_CASE("plan: two ports that have each other's addresses exchange them, said in one sentence") {
    StateFile swapped(two_ports("10.2.0.1", "10.1.0.1"));
    const DesiredState desired_values = of_two_ports();
    const Plan plan = hosts::plan(swapped, desired_values);
    CHECK(feasible(plan));
    CHECK(
        told_of_moves(plan) ==
        std::vector<std::string>{
            "ens1f1: the addresses of this port and of ens1f0 are exchanged, or their cables are: "
            "10.2.0.1 moves here, and 10.1.0.1 there"});
    CHECK(hosts::apply(swapped, desired_values).status == Status::done);
    CHECK(told_of_moves(hosts::plan(swapped, desired_values)).empty());
    CHECK(find_port(swapped.state(), "ens1f0")->addresses->size() == 1);

    State one = two_ports("10.1.0.1", "10.2.0.1");
    one.ports[1].addresses->push_back({.ip = *parse_ip("10.1.0.1"), .prefix_length = 31});
    one.ports[0].addresses->clear();
    StateFile moved(one);
    CHECK(told_of_moves(hosts::plan(moved, desired_values)) ==
          std::vector<std::string>{"ens1f0: 10.1.0.1 is on ens1f1, and moves here"});
}

TEST_CASE("plan: what its port has already does not move, though another port has it too") {
    const DesiredState desired_values = of_two_ports();
    State both = two_ports("10.1.0.1", "10.2.0.1");
    for (Port& port : both.ports)
        routes::connect(port);
    // ip address add, ip route append: the kernel holds one key on two ports.
    Port& other = both.ports[1];
    other.addresses->push_back(both.ports[0].addresses->front());
    other.routes->push_back(both.ports[0].routes->front());
    StateFile kernel(both);
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(satisfied(plan));
    CHECK(plan.steps.empty());
    CHECK(told_of_moves(plan).empty());

    // What it has not got moves, and nothing else: the route is taken first.
    std::erase_if(*both.ports[0].routes, [](const Route& route) { return route.via.has_value(); });
    StateFile lacking(both);
    const Plan moves = hosts::plan(lacking, desired_values);
    CHECK(told_of_moves(moves) ==
          std::vector<std::string>{"ens1f0: 10.0.0.0/8 101 0 is on ens1f1, and moves here"});
    std::vector<std::string> steps;
    for (const Step& step : moves.steps)
        for (const Change& change : step.changes)
            steps.push_back((change.after ? "adds to " : "takes from ") + step.port + ' ' +
                            change.element);
    CHECK(steps == std::vector<std::string>{"takes from ens1f1 10.0.0.0/8 101 0",
                                            "adds to ens1f0 10.0.0.0/8 101 0"});
}

TEST_CASE("plan: a route by several links takes the place of the one that is desired") {
    State state = hosts::host("mlx5_core");
    state.ports[0].routes_beyond = {
        {.route = {.to = *parse_prefix("10.7.0.0/16")}, .what = "nexthops"}};
    StateFile kernel(state);
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({hosts::desired("routes", Record{{"to", "10.7.0.0/16"}})}));
    CHECK_FALSE(feasible(plan));
}

TEST_CASE("plan: of ip.* the larger of the port's and the host's value is in force") {
    State state = hosts::host("mlx5_core");
    state.ports[0].ipv4 = Ipv4{.arp_ignore = {.own = 0, .all = 1},
                               .arp_announce = {},
                               .rp_filter = {.own = 1, .all = 1},
                               .accept_local = {}};
    const State before = state;
    StateFile host(state);
    CHECK(satisfied(hosts::plan(
        host, hosts::desired_values({hosts::desired("ip.arp_ignore", std::uint64_t{1})}))));

    const DesiredState loose =
        hosts::desired_values({hosts::desired("ip.rp_filter", std::uint64_t{2})});
    const Plan plan = hosts::plan(host, loose);
    CHECK(commands(plan) == std::vector<std::string>{"sysctl -w net.ipv4.conf.ens1f0.rp_filter=2"});
    CHECK(core::apply(host, loose, plan).status == Status::done);
    const Plan back = make_plan(undo_profile(plan), hosts::read_all(host));
    for (const Step& step : back.steps)
        CHECK_FALSE(host.write(step).has_value());
    CHECK(hosts::read_all(host).ports[0].ipv4 == before.ports[0].ipv4);
}

TEST_CASE("plan: less than the host's own value is infeasible, and names the value") {
    State state = hosts::host("mlx5_core");
    state.ports[0].ipv4->rp_filter = {.own = 0, .all = 1};
    StateFile host(state);
    const Plan plan = hosts::plan(
        host, hosts::desired_values({hosts::desired("ip.rp_filter", std::uint64_t{0})}));
    CHECK_FALSE(feasible(plan));
    REQUIRE_FALSE(plan.findings.empty());
    CHECK(plan.findings[0].text.find("net.ipv4.conf.all.rp_filter is 1") != std::string::npos);
}

TEST_CASE("plan: sysctl parts the name of a port that has a dot with slashes") {
    State state = hosts::host("mlx5_core");
    state.ports[0].name = "ens1f0.5";
    StateFile host(state);
    Desired desired = hosts::desired("ip.addr_gen_mode", std::string("none"));
    desired.port = "ens1f0.5";
    DesiredState desired_values = hosts::desired_values({desired});
    desired_values.ports = {"ens1f0.5"};
    CHECK(commands(make_plan(desired_values, hosts::read_all(host))) ==
          std::vector<std::string>{"sysctl -w net/ipv6/conf/ens1f0.5/addr_gen_mode=1"});
}

TEST_CASE(
    "plan: a rate limit that mlx5 would round is infeasible, and what it would store is named") {
    const auto found = [](Numbers rates) {
        StateFile kernel(hosts::host("mlx5_core"));
        const Plan plan =
            hosts::plan(kernel, hosts::desired_values({hosts::desired("maxrate", rates)}));
        return plan.findings.empty() ? std::string() : plan.findings[0].text;
    };
    CHECK(found({0, 0, 0, 25'500'000, 0, 0, 0, 255'000'000}).empty());
    CHECK(found({0, 0, 0, 150'000, 0, 0, 0, 0})
              .find("traffic class 3: mlx5_core would store 150000 kbit/s as 100000, expected a "
                    "multiple of 100000") != std::string::npos);
    CHECK(found({1, 0, 0, 0, 0, 0, 0, 0}).find("1 kbit/s as 100000") != std::string::npos);
    CHECK(found({0, 25'600'000, 0, 0, 0, 0, 0, 0}).find("as 25000000") != std::string::npos);
    CHECK(found({0, 0, 0, 0, 0, 0, 0, 256'500'000}).find("as 256000000") != std::string::npos);
    StateFile other(hosts::host("generic"));
    CHECK(feasible(hosts::plan(other, hosts::desired_values({hosts::desired(
                                          "maxrate", Numbers{1, 0, 0, 0, 0, 0, 0, 0})}))));
    StateFile none(hosts::host("ice"));
    const Plan plan =
        hosts::plan(none, hosts::desired_values({hosts::desired("maxrate", Numbers(8, 0))}));
    CHECK(findings(plan) == "failure unsupported maxrate; ");
}

TEST_CASE(
    "plan: storm prevention is in the driver's range, and auto is what the device makes of it") {
    const auto planned = [](const char* driver, const char* value) {
        StateFile kernel(hosts::host(driver));
        return hosts::plan(
            kernel,
            hosts::desired_values({hosts::desired("pfc.storm_prevention", std::string(value))}));
    };
    CHECK(planned("mlx5_core", "79")
              .findings[0]
              .text.find("79 ms is outside 80..8000, which mlx5_core takes") != std::string::npos);
    CHECK_FALSE(feasible(planned("mlx5_core", "8001")));
    CHECK(feasible(planned("generic", "1")));
    CHECK(satisfied(planned("mlx5_core", "8000")));
    CHECK(findings(planned("ice", "auto")) == "failure unsupported pfc.storm_prevention; ");

    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("pfc.storm_prevention", std::string("auto"))});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[0].storm_prevention->timeout == 100);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));

    State state = hosts::host("mlx5_core");
    state.ports[0].storm_prevention.reset();
    state.ports[0].refused[Object::storm_prevention] = {.code = 95,
                                                        .text = "Operation not supported"};
    StateFile without(state);
    const Plan plan = hosts::plan(without, desired_values);
    CHECK(findings(plan) == "failure unsupported pfc.storm_prevention; ");
    CHECK(plan.findings[0].text.find("Operation not supported (95) while reading") !=
          std::string::npos);
}

TEST_CASE("plan: a key that only other drivers have is named with what its row says") {
    StateFile kernel(hosts::host("generic"));
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values({hosts::desired("dscp.trust", std::string("dscp"))}));
    CHECK(findings(plan) == "failure unsupported dscp.trust; ");
    CHECK(plan.findings[0].remedy == find_field("dscp.trust")->doc);
    StateFile without(hosts::host("ice"));
    const Plan none =
        hosts::plan(without, hosts::desired_values({hosts::desired("maxrate", Numbers(8, 0))}));
    CHECK(none.findings[0].remedy.empty());
}

TEST_CASE("plan: PFC's one number is a cable's length on mlx5 and a delay elsewhere, never both") {
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        const std::string name(driver.name);
        INFO(name);
        const Port port = hosts::port(name);
        const bool metres = name == "mlx5_core";
        CHECK(find_field("pfc.cable_length")->get(port).has_value() == metres);
        CHECK(find_field("pfc.delay")->get(port).has_value() == !metres);
        StateFile kernel(hosts::host(name));
        Desired desired = metres ? hosts::desired("pfc.delay", std::uint64_t{30})
                                 : hosts::desired("pfc.cable_length", std::uint64_t{30});
        const Plan plan = hosts::plan(kernel, hosts::desired_values({desired}));
        CHECK(findings(plan) == "failure unsupported " + std::string(desired.field->key) + "; ");
        if (driver.no_dcb.empty()) CHECK(plan.findings[0].remedy == desired.field->doc);
        desired.optional = true;
        CHECK(findings(hosts::plan(kernel, hosts::desired_values({desired}))) ==
              "note unsupported " + std::string(desired.field->key) + "; ");
    }
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("pfc.cable_length", std::uint64_t{30})});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == std::vector<std::string>{"dcb pfc set dev ens1f0 delay 30"});
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[0].pfc->delay == 30);
}

TEST_CASE("plan: the host itself is not gone where nothing of it is desired and it was not read") {
    StateFile kernel(hosts::host("mlx5_core"));
    DesiredState desired_values =
        hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000})});
    desired_values.ports.emplace_back(kHost);
    const State now = kernel.read(scope_of(desired_values, kernel.state()));
    REQUIRE(find_port(now, kHost) == nullptr);
    CHECK(feasible(make_plan(desired_values, now)));
}

// Seed 122 of the law over random plans (tests/netns/law_test.cpp): a route through an address of
// the host takes the place of the connected one, which nobody makes again.
TEST_CASE("plan: a route in the place of the one that the kernel made goes for it again") {
    State state = hosts::host("generic");
    state.ports[0].link->up = true;
    StateFile kernel(state);
    const std::string network = "10.0.5.0/24";
    const auto route = [&]() -> const Route* {
        for (const Route& one : *kernel.state().ports[0].routes)
            if (text(one.to) == network && one.table == 254) return &one;
        return nullptr;
    };
    const DesiredState address =
        hosts::desired_values({hosts::desired("addresses", std::string("10.0.5.1/24"))});
    REQUIRE(core::apply(kernel, address, hosts::plan(kernel, address)).status == Status::done);
    REQUIRE(route() != nullptr);
    const Route connected = *route();
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values(
        {hosts::desired("routes", Record{{"to", network}, {"via", std::string("10.0.5.1")}})});
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(core::apply(kernel, desired_values, plan).status == Status::done);
    REQUIRE(route() != nullptr);
    CHECK(route()->via.has_value());
    const DesiredState back = undo_profile(plan);
    CHECK(core::apply(kernel, back, hosts::plan(kernel, back)).status == Status::done);
    REQUIRE(route() != nullptr);
    CHECK(*route() == connected);
    CHECK(hosts::read_all(kernel) == before);
}

}  // namespace plan_test
