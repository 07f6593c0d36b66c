// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "cli/views/doctor.hpp"
#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "core/plan/judge.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace doctor_stories_test {

using namespace core;
using namespace broken_hosts;

TEST_CASE("doctor: where the NIC's own agent has DCBX, what takes it away is said, and no write") {
    const State state = parse_state(source("states/bnxt_en-agent.json"), "state");
    Asked host{.now = whole(to_json(state))};
    const Diagnosis diagnosis = host.diagnose();
    const auto found = std::ranges::find_if(diagnosis.examination.checks, [](const Check& check) {
        return check.row->id == "dcbx-firmware" && !check.faults.empty();
    });
    REQUIRE(found != diagnosis.examination.checks.end());
    CHECK(found->faults.front().fix.empty());
    CHECK(found->faults.front().remedy == driver_named("bnxt_en").dcbx.agent_remedy);
}

TEST_CASE("doctor: a port that goes by VLAN tags shows what they carry, a bond's member too") {
    const auto shown = [](const Diagnosis& diagnosis) {
        std::set<std::string> out;
        for (const Chain& chain : diagnosis.chains)
            for (const ChainLink& link : chain.links)
                if (link.name == "priority") out.insert(link.found);
        return out;
    };
    Asked tagged{.now = whole(applied("vlan-pcp"))};
    CHECK(shown(tagged.diagnose()) == std::set<std::string>{"3 by tag"});

    Asked bonded{.now = whole(applied("bonded-port"))};
    Port child("bond0.100");
    child.link = Link{.kind = "vlan", .lower = "bond0", .up = true, .carrier = true, .mtu = 9000};
    child.vlan = Vlan{.parent = "bond0", .id = 100, .egress = {{2, 5}}};
    child.addresses = {{.ip = *parse_ip("10.100.0.7"), .prefix_length = 24}};
    bonded.now.ports.push_back(child);
    find_port(bonded.now, "bond0")
        ->rdma_port->gids->push_back(
            {.index = 9, .gid = "::ffff:10.100.0.7", .type = "RoCE v2", .port = child.name});
    for (const char* name : {"ens1f0np0", "ens1f1np1"})
        find_port(bonded.now, name)->app = App{.entries = {}, .trust = std::vector<std::uint8_t>{}};
    const Diagnosis diagnosis = bonded.diagnose();
    CHECK(shown(diagnosis) == std::set<std::string>{"5 by tag"});
    REQUIRE(diagnosis.causes.size() == 1);
    CHECK(diagnosis.causes.front().row->id == "vlan-tag-elsewhere");
    CHECK(diagnosis.causes.front().checks.size() == 2);
}

namespace {

/// A host on which one thing was broken (by JSON, of the ports named and of the host), what doctor
/// is to say of it, and of which port.
struct Broken {
    std::string of{};
    Json patch{};
    std::string expected{};
    bool twice = false;  ///< the patch is of the second of two readings
};

Json rule_of(unsigned priority, const Json& more) {
    Json out = {{"priority", priority}, {"family", "ipv4"}, {"table", "main"}};
    out.merge_patch(more);
    return out;
}

/// The host's rules, with one more.
Json with_rule(const std::string& of, const char* list, const Json& rule) {
    Json rules = applied(of)["host"].value(list, Json::array());
    rules.push_back(rule);
    return {{"host", {{list, rules}}}};
}

/// What the first rail has through a gateway as such a route of routes_beyond.
Json with_beyond(const Json& more) {
    const Json host = applied("gpu-rail");
    const std::string rail = fabric_of(host).front();
    Json routes = Json::array();
    Json beyond = Json::array();
    for (const Json& port : host["ports"]) {
        if (port["name"] != rail) continue;
        for (Json route : port["routes"]) {
            if (!route.contains("via")) {
                routes.push_back(route);
                continue;
            }
            route.merge_patch(more);
            beyond.push_back(route);
        }
    }
    return {{"port", {{"routes", routes}, {"routes_beyond", beyond}}}};
}

std::vector<Broken> stories() {
    const Json gone = {{"out_of_sequence", 50005}, {"req_transport_retries_exceeded", 700}};
    return {
        // A bond's RDMA device has the counters of its members' driver.
        {"bonded-port",
         {{"ports", {{"bond0", {{"rdma", {{"counters", gone}}}}}}}},
         "out-of-sequence: bond0: out_of_sequence grew by 50005",
         true},
        {"bonded-port",
         {{"ports", {{"bond0", {{"rdma", {{"default_tos", 2}}}}}}}},
         "tos-unset: bond0: connections made by rdma_cm have DSCP 0"},
        // Of two counters of one thing the one that grew counts.
        {"nvmeof-storage",
         {{"port", {{"statistics", {{"rx_prio3_discards", 3}, {"rx_prio3_buf_discard", 900}}}}}},
         "rx-discards: eth2: rx_prio3_buf_discard grew by",
         true},
        {"gpu-rail",
         {{"port", {{"rdma", {{"traffic_class", 184}}}}}},
         "forced-class-lossy: enp26s0np0: traffic class 184 is DSCP 46"},
        // Of siblings without a link nobody knows the speed.
        {"gpu-rail", {{"others", {{"speed", 4294967295}}}}, ""},
        // The tag that rdma_cm asks for is that of the ToS's own packet priority.
        {"vlan-pcp",
         {{"ports", {{"ens1f0np0.100", {{"egress_priority", {{"0", 3}, {"2", nullptr}}}}}}}},
         "vlan-tag-elsewhere: ens1f0np0: tags carry priority 0 for ToS 106, which is packet "
         "priority 2"},
        {"vlan-pcp",
         {{"port",
           {{"rdma",
             {{"gids",
               {{{"index", 1},
                 {"gid", "fe80:0000:0000:0000:ba3f:d2ff:fe9a:7010"},
                 {"type", "RoCE v2"},
                 {"port", "ens1f0np0"}}}}}}}}},
         "no-gid: ens1f0np0: no RoCE v2 GID is 10.100.0.7"},
        // A ToS that is not set is no fault of the tag.
        {"vlan-pcp",
         {{"port", {{"rdma", {{"default_tos", 0}}}}}},
         "tos-unset: ens1f0np0: connections made by rdma_cm have DSCP 0"},
        // Programs on a bond name the bond's device.
        {"bonded-port",
         {{"host",
           {{"environments",
             {{{"process", 1234},
               {"program", "train"},
               {"name", "NCCL_IB_HCA"},
               {"value", "mlx5_bond"}}}}}}},
         "app-no-traffic-class: ens1f0np0: train (1234): NCCL_IB_TC is not set"},
        // Whatever a program calls itself: its traffic class is its own, and nobody else's.
        {"bonded-port",
         {{"host",
           {{"environments",
             {{{"process", 1234},
               {"program", "train"},
               {"name", "NCCL_IB_HCA"},
               {"value", "mlx5_bond"}},
              {{"process", 1235},
               {"program", "/etc/nccl.conf"},
               {"name", "NCCL_IB_TC"},
               {"value", "106"}}}}}}},
         "app-no-traffic-class: ens1f0np0: train (1234): NCCL_IB_TC is not set"},
        {"gpu-rail",
         {{"host",
           {{"environments",
             {{{"process", 1235},
               {"program", "/etc/nccl.conf"},
               {"name", "NCCL_IB_TC"},
               {"value", "184"}}}}}}},
         "app-traffic-class: enp26s0np0: /etc/nccl.conf (1235): NCCL_IB_TC 184 is DSCP 46"},
        // Rules that come first, and rules that nobody here can follow.
        {"gpu-rail",
         with_rule("gpu-rail", "rules", rule_of(100, {{"table", "102"}, {"iif", "lo"}})),
         "route-by-other-port: enp26s0np0: what is sent from 10.0.0.35 to 10.0.0.0/8 leaves by "},
        {"gpu-rail",
         with_rule("gpu-rail", "rules", rule_of(100, {{"table", "102"}, {"iif", "enp26s0np0"}})),
         ""},
        {"gpu-rail", with_rule("gpu-rail", "rules_beyond", rule_of(100, {{"what", "blackhole"}})),
         "no-route-by-port: enp26s0np0: no route from 10.0.0.35 to 10.0.0.0/8 leaves by this port: "
         "rule 100 (blackhole) comes first and ends the lookup"},
        {"gpu-rail", with_rule("gpu-rail", "rules_beyond", rule_of(100, {{"what", "uidrange"}})),
         "no-route-by-port: enp26s0np0: which route from 10.0.0.35 to 10.0.0.0/8 leaves by this "
         "port is not known: rule 100 (uidrange) comes first"},
        {"gpu-rail",
         with_rule("gpu-rail", "rules_beyond",
                   rule_of(100, {{"what", "not"}, {"from", "10.0.0.0/8"}})),
         ""},
        {"gpu-rail",
         with_rule("gpu-rail", "rules_beyond",
                   rule_of(100, {{"what", "not, nop"}, {"from", "172.16.0.0/12"}})),
         ""},
        // As snapshots named it before.
        {"gpu-rail", with_rule("gpu-rail", "rules_beyond", rule_of(100, {{"what", "action 6"}})),
         "no-route-by-port: enp26s0np0: no route from 10.0.0.35 to 10.0.0.0/8 leaves by this port: "
         "rule 100 (action 6) comes first and ends the lookup"},
        // All routes of FRR have a nexthop object, and some have several next hops.
        {"gpu-rail", with_beyond({{"what", "nhid"}}), ""},
        {"gpu-rail", with_beyond({{"what", "nexthops, nhid"}, {"via", nullptr}}), ""},
        {"gpu-rail", with_beyond({{"what", "tos 16, nhid"}}),
         "no-route-by-port: enp26s0np0: no route from 10.0.0.35 to 10.0.0.0/8 leaves by this port"},
        // What a VLAN has is the VLAN's.
        {"vlan-pcp",
         {{"ports", {{"ens1f0np0.100", {{"addresses_duplicate", {"10.100.0.7/24"}}}}}}},
         "address-in-use: ens1f0np0: another host has 10.100.0.7 too (IPv6 duplicate address "
         "detection), an address of ens1f0np0.100"},
        {"vlan-pcp",
         {{"ports",
           {{"ens1f0np0.100",
             {{"routes", {{{"to", "10.0.0.0/8"}, {"via", "10.100.0.1"}, {"table", "100"}}}}}}}}},
         "no-route-by-port: ens1f0np0: no route from 10.100.0.7 to 10.0.0.0/8 leaves by "
         "ens1f0np0.100: no rule sends packets from 10.100.0.7 to table 100, which has one"},
    };
}

}  // namespace

TEST_CASE("doctor: what strangers broke and were reported is well") {
    for (const Broken& story : stories()) {
        INFO(story.of, " ", story.patch.dump());
        const Json& host = applied(story.of);
        const std::vector<std::string> fabric = fabric_of(host);
        const auto zero = [](Json patch) {
            const Json flat = patch.flatten();
            for (const auto& [place, value] : flat.items())
                if (value.is_number()) patch[Json::json_pointer(place)] = 0;
            return patch;
        };
        const Json how = story.twice ? Json{{"of", story.of}, {"earlier", Json::object()}}
                                     : Json{{"of", story.of}};
        const Json before = story.twice ? patched(host, fabric, zero(story.patch)) : host;
        Asked ill = asked(how, patched(host, fabric, story.patch), before);
        const std::vector<std::string> reported = found(ill.diagnose());
        std::string all;
        for (const std::string& each : reported)
            all += each + '\n';
        INFO(all);
        CHECK((story.expected.empty() ? reported.empty()
                                      : std::ranges::any_of(reported, [&](const std::string& each) {
                                            return each.starts_with(story.expected);
                                        })));
    }
}

TEST_CASE("doctor: without a route by the port IPv6 ends otherwise than IPv4") {
    State now = whole(applied("gpu-rail"));
    const std::vector<std::string> rails = fabric_of(applied("gpu-rail"));
    const auto owns = [&](const std::string& rail, const char* address) {
        find_port(now, rail)->addresses->push_back({.ip = *parse_ip(address), .prefix_length = 64});
    };
    owns(rails.at(0), "2001:db8:1::2");
    owns(rails.at(1), "2001:db8:2::2");
    find_port(now, rails.at(1))
        ->routes->push_back(
            {.to = *parse_prefix("2001:db8::/32"), .via = parse_ip("2001:db8:2::1")});
    const std::vector<std::string> reported = found(diagnose({.now = &now}));
    INFO(doctest::toString(reported));
    CHECK(std::ranges::any_of(reported, [&](const std::string& each) {
        return each.starts_with("no-route-by-port: " + rails.front() +
                                ": no route from 2001:db8:1::2 to 2001:db8::/32 leaves by this "
                                "port; RDMA takes the gateway of " +
                                rails.at(1) + " for its own, and what it sends is lost");
    }));
}

TEST_CASE("doctor: a VLAN that has no address vouches for the tags of none") {
    const auto untrusted = [](const State& state) {
        Asked host{.now = state};
        const std::vector<std::string> reported = found(host.diagnose());
        return std::ranges::any_of(
            reported, [](const std::string& each) { return each.starts_with("dscp-untrusted: "); });
    };
    State now = whole(applied("vlan-pcp"));
    CHECK_FALSE(untrusted(now));
    Port other("ens1f0np0.400");
    other.link = Link{.kind = "vlan", .lower = "ens1f0np0", .up = true, .carrier = true};
    other.vlan = Vlan{.parent = "ens1f0np0", .id = 400, .egress = {{2, 3}}};
    now.ports.push_back(other);
    CHECK_FALSE(untrusted(now));
    Port& child = *find_port(now, "ens1f0np0.100");
    child.vlan->egress.clear();
    CHECK(untrusted(now));
    // Nor where the address is on the port itself, which sends without a tag.
    find_port(now, "ens1f0np0")->addresses = std::exchange(child.addresses, std::vector<Address>{});
    CHECK(untrusted(now));
}

TEST_CASE("doctor: what stands on a port and is no VLAN is not taken for one") {
    State now = whole(applied("nvmeof-storage"));
    Port& rail = *find_port(now, "eth2");
    rail.rdma_port->gids =
        std::vector<Gid>{{.index = 0, .gid = "fe80::1", .type = "RoCE v2", .port = "eth2"}};
    for (const bool up : {true, false}) {
        INFO(up);
        Port tunnel("gre1");
        tunnel.link = Link{.kind = "gre", .lower = "eth2", .up = up, .carrier = up, .mtu = 1476};
        tunnel.addresses = {{.ip = *parse_ip("10.99.0.1"), .prefix_length = 30}};
        Asked host{.now = now};
        host.now.ports.push_back(tunnel);
        for (const std::string& each : found(host.diagnose()))
            CHECK_MESSAGE(each.find("gre1") == std::string::npos, each);
        for (const std::string& each : found(host.diagnose()))
            CHECK_MESSAGE(each.find("10.99.0.1") == std::string::npos, each);
    }
}

TEST_CASE("doctor: a port that is left out for its default route is named") {
    State now = whole(applied("gpu-rail"));
    Port& rail = *find_port(now, "enp26s0np0");
    rail.routes->push_back({.to = {}, .table = 254, .via = parse_ip("10.0.0.34")});
    Asked host{.now = now};
    const Diagnosis diagnosis = host.diagnose();
    CHECK(diagnosis.examination.ports.size() == 7);
    const cli::DoctorView view{
        .state = host.now, .diagnosis = diagnosis, .profile = "", .apply = ""};
    const std::string text = cli::doctor_text(view, cli::Style{});
    CHECK(text.find("left out: enp26s0np0, with the default route") != std::string::npos);
    CHECK(diagnosis.examination.left_out == std::vector<std::string>{"enp26s0np0"});
    const auto reported = Json::parse(cli::doctor_json({.command = "doctor"}, view));
    CHECK(reported["left_out"] == Json{"enp26s0np0"});
}

TEST_CASE("doctor: functions that nobody uses are counted and left alone") {
    const State host = whole(applied("gpu-rail"));
    const auto with = [&](const auto& change) {
        State now = host;
        Port function = *find_port(now, "enp26s0np0");
        function.name = "enp26s0v0";
        function.link->function = "vf";
        function.link->up = false;
        function.link->carrier = false;
        function.link->mtu = 1500;
        function.addresses.emplace();
        function.routes.emplace();
        function.rdma_link->device = "mlx5_20";
        change(function);
        now.ports.push_back(function);
        return now;
    };
    const State idle = with([](Port&) {});
    const Diagnosis diagnosis = diagnose({.now = &idle});
    CHECK(diagnosis.examination.left_out == std::vector<std::string>{"enp26s0v0"});
    CHECK(found(diagnosis) == std::vector<std::string>{});
    const cli::DoctorView view{.state = idle, .diagnosis = diagnosis, .profile = "", .apply = ""};
    CHECK(cli::doctor_text(view, cli::Style{})
              .find("left out: enp26s0v0: 1 function that nobody uses") != std::string::npos);
    // One that is up, has an address, or of which that was not read, is looked at.
    const auto looked_at = [&](const auto& change) {
        const State now = with(change);
        const Diagnosis found = diagnose({.now = &now});
        return found.examination.left_out.empty() &&
               found.examination.ports.size() == diagnosis.examination.ports.size() + 1;
    };
    CHECK(looked_at([](Port& port) { port.link->up = true; }));
    CHECK(looked_at([](Port& port) {
        port.addresses->push_back({.ip = *parse_ip("10.9.0.1"), .prefix_length = 31});
    }));
    CHECK(looked_at([](Port& port) { port.addresses.reset(); }));
    CHECK(looked_at([](Port& port) { port.link->function = "pf"; }));
}

TEST_CASE("doctor: behind a broken link a chain has what follows from it") {
    const Json& host = applied("gpu-rail");
    const State now = whole(patched(host, fabric_of(host),
                                    {{"port", {{"dscp", {{"trust", "pcp"}, {"map", nullptr}}}}}}));
    const std::string port = fabric_of(host).front();
    std::map<std::string, std::string> links;
    for (const Chain& chain : diagnose({.now = &now}).chains)
        if (chain.name == "class" && chain.ports == std::vector{port})
            for (const ChainLink& link : chain.links)
                links.emplace(link.name, link.found);
    CHECK(links["trust"] == "pcp");
    CHECK(links["priority"] == "0");
    CHECK(links["traffic class"] ==
          std::to_string(find_port(now, port)->ets->traffic_class.front()));
}

TEST_CASE("doctor: that a class is lossy follows from what mends it, by the values") {
    const Json& host = applied("gpu-rail");
    const std::string port = fabric_of(host).front();
    const std::string other = fabric_of(host).back();
    const auto causes = [&](const char* traffic_class, const Json& ports) {
        const State now = whole(patched(host, fabric_of(host),
                                        {{"ports", ports},
                                         {"host",
                                          {{"nccl", {{"NCCL_IB_TC", traffic_class}}},
                                           {"ucx", {{"UCX_IB_TRAFFIC_CLASS", traffic_class}}}}}}));
        const std::vector<std::string> all = causes_of(diagnose({.now = &now}));
        return std::set<std::string>(all.begin(), all.end());
    };
    using Ids = std::set<std::string>;
    const Json pfc = {{"pfc", {{"priorities", {4}}}}};
    const Json map = {{"dscp", {{"map", {{"26", 5}}}}}};
    CHECK(causes("106", Json::object()).empty());
    CHECK(causes("106", {{port, pfc}}) == Ids{"pfc-elsewhere"});
    CHECK(causes("106", {{port, map}}) == Ids{"dscp-elsewhere"});
    // On two ports from two faults: it leads on neither.
    CHECK(causes("106", {{port, pfc}, {other, map}}) == Ids{"pfc-elsewhere", "dscp-elsewhere"});
    // One that no fault of the port makes lossy is a fault of its own beside it.
    CHECK(causes("40", {{port, pfc}}) == Ids{"pfc-elsewhere", "nccl-lossy", "ucx-lossy"});
    // The first check with what else it takes: both are wrong, and both have to be mended.
    Json both = map;
    both.merge_patch(pfc);
    const Ids of_both = causes("106", {{port, both}});
    CHECK_FALSE(of_both.contains("nccl-lossy"));
    CHECK_FALSE(of_both.contains("ucx-lossy"));
    CHECK_FALSE(of_both.contains("tos-lossy"));
}

TEST_CASE("doctor: an entry for a priority that there is not gives none, and is drawn as ignored") {
    State now = whole(applied("gpu-rail"));
    const std::string name = fabric_of(applied("gpu-rail")).front();
    Port& port = *find_port(now, name);
    std::erase_if(port.app->entries, [](const AppEntry& entry) {
        return entry.selector == AppEntry::dscp && entry.protocol == 26;
    });
    const auto priority = [&] {
        const Diagnosis diagnosis = diagnose({.now = &now});
        for (const Chain& chain : diagnosis.chains)
            if (chain.name == "class" && std::ranges::find(chain.ports, name) != chain.ports.end())
                for (const ChainLink& link : chain.links)
                    if (link.name == "priority") return link.found;
        return std::string();
    };
    const std::string without = priority();
    port.app->entries.insert({AppEntry::dscp, 26, 8});
    CHECK(priority_of_dscp(port, 26) == unlisted_priority(driver_of(port), port, 26));
    CHECK(priority() == without + " (an entry for 8 is ignored)");
    port.app->entries.insert({AppEntry::dscp, 64, 3});
    CHECK(priority_of_dscp(port, 64) == std::nullopt);
}

TEST_CASE("law: no table of causes has a class that is lossy, which the values tell") {
    for (const FindingRow* row : catalogue())
        for (const std::string_view id : row->cause.explains) {
            CAPTURE(row->id);
            CHECK_FALSE(id.ends_with("-lossy"));
        }
}

TEST_CASE(
    "doctor: of ports in one network without rules what binds to one's address leaves by the "
    "first") {
    const auto host = [&](const char* prefix, bool rules) {
        State now = whole(applied("gpu-rail"));
        unsigned number = 10;
        std::vector<Rule>& all = *find_port(now, kHost)->rules;
        std::erase_if(all, [](const Rule& rule) { return rule.from.has_value(); });
        for (const std::string& name : fabric_of(applied("gpu-rail"))) {
            Port& port = *find_port(now, name);
            const Ip own = *parse_ip("10.9.0." + std::to_string(++number));
            const auto length = parse_prefix("10.9.0.0" + std::string(prefix))->length;
            const Prefix near = network({.ip = own, .length = length});
            port.addresses = std::vector<Address>{{.ip = own, .prefix_length = length}};
            port.routes =
                std::vector<Route>{{.to = near, .table = kMainTable, .scope = 253, .protocol = 2}};
            if (!rules) continue;
            port.routes->push_back({.to = near, .table = number, .scope = 253});
            all.push_back({.from = Prefix{.ip = own, .length = 32},
                           .priority = 1000,
                           .table = number,
                           .protocol = 4});
        }
        return now;
    };
    const auto found_of = [](const State& now) {
        return diagnose({.now = &now, .only = {"route-by-other-port"}});
    };
    const State one = host("/24", false);
    const Diagnosis diagnosis = found_of(one);
    const std::vector<std::string> all = found(diagnosis);
    REQUIRE(all.size() == 7);
    CHECK(all.at(2) ==
          "route-by-other-port: enp94s0np0: what is sent from 10.9.0.14 to 10.9.0.0/24, its own "
          "network, leaves by enp26s0np0, which is in it too; RDMA that is asked for by the GID "
          "leaves by the GID's port all the same");
    std::set<std::string> shown;
    for (const Chain& chain : diagnosis.chains)
        for (const ChainLink& link : chain.links)
            if (link.broken != nullptr) shown.insert(link.found);
    CHECK(shown == std::set<std::string>{"10.9.0.0/24 by enp26s0np0"});
    CHECK(status_of(diagnosis.examination, false) == Status::done);
    CHECK(found(found_of(host("/24", true))).empty());
    CHECK(found(found_of(host("/32", false))).empty());
}

TEST_CASE("doctor: what a profile asks for and a host has no interface for is told, and counted") {
    std::size_t most = 0;
    for (const char* name : {"bonded-port", "db-cluster", "e810", "gpu-rail", "nvmeof-storage",
                             "semi-lossless", "soft-roce", "virtual-functions", "vlan-pcp"}) {
        CAPTURE(name);
        Asked host{.now = whole(applied(name))};
        host.desired_values = resolve(shipped_profile(name), variables_of(name), host.now);
        const Diagnosis diagnosis = host.diagnose();
        const Tally counted = tally(*host.desired_values, host.now);
        const std::size_t left = counted.desired - counted.held - counted.optional;
        CHECK(diagnosis.examination.unsupported.size() == left);
        most = std::max(most, left);
        const cli::DoctorView view{
            .state = host.now, .diagnosis = diagnosis, .profile = "p.json", .apply = ""};
        const std::string text = cli::doctor_text(view, cli::Style{});
        CHECK((text.find(" not supported here") != std::string::npos) == (left > 0));
        const auto reported = Json::parse(cli::doctor_json({.command = "doctor"}, view));
        CHECK(reported["unsupported"].size() == left);
        CHECK(diagnose({.now = &host.now}).examination.unsupported.empty());
    }
    CHECK(most > 0);
}

TEST_CASE(
    "doctor: the port of a pod has the device that its GIDs name, and the rest is the host's") {
    Json host = Json::parse(R"({"format": 1, "host": {"name": "pod-1", "kernel": "6.12.48",
        "rdma": {"providers": {"libibverbs": "/usr/lib/libibverbs.so.1",
                               "mlx5_0": "/usr/lib/libibverbs/libmlx5-rdmav34.so"}}},
        "ports": [{"name": "net1", "driver": "macvlan", "mac": "02:00:00:00:01:01", "pci": null,
                   "kind": "macvlan", "master": null, "lower": null, "vlan": null, "up": true,
                   "mtu": 9000, "carrier": true, "addresses": ["192.0.2.11/24"],
                   "addresses_by_kernel": [],
                   "routes": [{"to": "192.0.2.0/24", "table": "main", "metric": 0, "scope": "link",
                               "protocol": "kernel", "source": "192.0.2.11"}],
                   "rdma": {"link": null, "device": null, "others": []}}]})");
    const auto verdict_of = [](const Diagnosis& diagnosis, std::string_view id) {
        for (const Check& check : diagnosis.examination.checks)
            if (check.row->id == id && check.port == "net1") return check.verdict;
        return Verdict::crash;
    };
    const auto diagnosis_with_profile = [](const State& now) {
        Asked asked{.now = now};
        asked.desired_values =
            resolve(profiles::load(R"({"format": 1, "ports": [{"match": {"name": "net*"},
                                       "roce": {"dscp": 26, "ecn": true}, "mtu": 9000}]})"),
                    {}, asked.now);
        return asked.diagnose();
    };
    // A state that does not have the GIDs does not say that there is no device.
    const State unnamed = whole(host);
    CHECK(verdict_of(diagnosis_with_profile(unnamed), "rdma-device-missing") == Verdict::unknown);
    const Diagnosis none = diagnose({.now = &unnamed});
    CHECK(none.examination.ports.empty());
    CHECK(cli::doctor_text({.state = unnamed, .diagnosis = none, .profile = "", .apply = ""}, {})
              .find("unknown: net1: rdma.device is not recorded in this state") !=
          std::string::npos);
    // Where they were looked at and name no port, there is none, and modprobe is no help.
    Json away = host;
    away["ports"][0]["rdma"]["elsewhere"] = {"mlx5_0"};
    const std::vector<std::string> missing = found(diagnosis_with_profile(whole(away)));
    CHECK(std::ranges::find(missing,
                            "rdma-device-missing: net1: the port has no RDMA device: of mlx5_0, "
                            "whose ports are in another network namespace, no GID is of it") !=
          missing.end());
    host["ports"][0]["rdma"] = {{"link", nullptr},
                                {"device", "mlx5_0"},
                                {"others", Json::array()},
                                {"found_by", "gids"},
                                {"protocol", "roce"},
                                {"state", "ACTIVE"},
                                {"physical_state", "LINK_UP"},
                                {"gids",
                                 {{{"index", 7},
                                   {"gid", "0000:0000:0000:0000:0000:ffff:c000:020b"},
                                   {"type", "RoCE v2"},
                                   {"port", "net1"}}}}};
    const State named = whole(host);
    const Diagnosis rail = diagnose({.now = &named});
    CHECK(rail.examination.ports == std::vector<std::string>{"net1"});
    CHECK(found(rail) == std::vector<std::string>{});
    for (const char* known : {"no-gid", "no-address", "rdma-device-missing", "rdma-not-active"})
        CHECK(verdict_of(rail, known) == Verdict::pass);
    for (const char* of_host : {"pfc-off", "dscp-untrusted", "ets-no-share", "pcie-slow"}) {
        CAPTURE(of_host);
        CHECK(verdict_of(rail, of_host) == Verdict::unknown);
    }
}

TEST_CASE("doctor: an index of a GID is looked at in the words of each library") {
    const Json& host = applied("gpu-rail");
    const std::string port = fabric_of(host).front();
    const auto found_of = [&](const char* name, const char* value) {
        State now = whole(host);
        find_port(now, kHost)->environments =
            Environments{{.process = 7, .program = "serve", .name = name, .value = value}};
        const Diagnosis diagnosis = diagnose({.now = &now, .only = {"app-gid-index"}});
        return !diagnosis.causes.empty();
    };
    for (const char* name : {"NCCL_IB_GID_INDEX", "UCX_IB_GID_INDEX", "NVSHMEM_IB_GID_INDEX",
                             "MC_GID_INDEX", "UCCL_IB_GID_INDEX"}) {
        CAPTURE(name);
        CHECK(found_of(name, "0"));
        CHECK_FALSE(found_of(name, "-1"));
        CHECK(environments::is_kept(std::string(name) + "=3"));
    }
}

namespace {

/// The rails of gpu-rail, each changed by `change`, which is given its place.
State rails_with(const std::function<void(Port&, unsigned)>& change) {
    State out = whole(applied("gpu-rail"));
    unsigned place = 0;
    for (const std::string& name : fabric_of(applied("gpu-rail")))
        change(*find_port(out, name), place++);
    return out;
}

void keep_link_local(Port& port) {
    std::erase_if(*port.addresses, [](const Address& one) { return !is_link_local(one.ip); });
    std::erase_if(*port.routes, [](const Route& one) { return !one.to.ip.v6; });
    std::erase_if(*port.rdma_port->gids,
                  [](const Gid& one) { return !one.gid.starts_with("fe80"); });
}

/// Rails over which a routing daemon speaks by link-local addresses (BGP unnumbered), with a /32
/// on each.
State unnumbered_rails(std::uint8_t protocol) {
    return rails_with([protocol](Port& port, unsigned place) {
        std::erase_if(*port.routes, [](const Route& one) { return !one.to.ip.v6; });
        for (Address& address : *port.addresses)
            if (!address.ip.v6) address.prefix_length = 32;
        port.routes->push_back({.to = *parse_prefix("10.0.0.0/8"),
                                .table = 101 + place,
                                .metric = 20,
                                .via = parse_ip("fe80::1"),
                                .protocol = protocol});
    });
}

constexpr std::uint8_t kZebra = 11;
constexpr std::uint8_t kBgp = 186;

}  // namespace

TEST_CASE("doctor: rails with IPv6 alone are well") {
    const State now = rails_with([](Port& port, unsigned place) {
        keep_link_local(port);
        const std::string net = "fd00:" + std::to_string(place) + "::";
        port.addresses->push_back({.ip = *parse_ip(net + "2"), .prefix_length = 64});
        port.routes->push_back({.to = *parse_prefix(net + "/64"), .metric = 256, .protocol = 2});
        port.routes->push_back({.to = *parse_prefix("fd00::/16"),
                                .table = 101 + place,
                                .metric = 1024,
                                .via = parse_ip(net + "1")});
        port.rdma_port->gids->push_back(
            {.index = 3, .gid = net + "2", .type = "RoCE v2", .port = port.name});
    });
    State host = now;
    Port& itself = *find_port(host, kHost);
    std::erase_if(*itself.rules, [](const Rule& rule) { return rule.from.has_value(); });
    for (unsigned place = 0; place < 8; ++place)
        itself.rules->push_back({.v6 = true,
                                 .from = parse_prefix("fd00:" + std::to_string(place) + "::2/128"),
                                 .priority = 100 + place,
                                 .table = 101 + place});
    CHECK(found(diagnose({.now = &host})) == std::vector<std::string>{});
}

TEST_CASE("doctor: unnumbered rails with a /32 on each, IPv4 by gateways of IPv6, are well") {
    for (const std::uint8_t protocol : {kZebra, kBgp}) {
        const State now = unnumbered_rails(protocol);
        CHECK(found(diagnose({.now = &now})) == std::vector<std::string>{});
    }
}

TEST_CASE("doctor: a rail with link-local GIDs alone lacks an address, whoever routes over it") {
    State now = unnumbered_rails(kZebra);
    const std::string first = fabric_of(applied("gpu-rail")).front();
    Port& port = *find_port(now, first);
    std::erase_if(*port.addresses, [](const Address& one) { return !is_link_local(one.ip); });
    std::erase_if(*port.rdma_port->gids,
                  [](const Gid& one) { return !one.gid.starts_with("fe80"); });
    REQUIRE_FALSE(port.rdma_port->gids->empty());
    const Diagnosis diagnosis = diagnose({.now = &now, .only = {"no-address"}});
    std::vector<std::string> ports;
    for (const Check& check : diagnosis.examination.checks)
        if (check.row->id == "no-address" && !check.faults.empty()) ports.push_back(check.port);
    CHECK(ports == std::vector<std::string>{first});

    // An address on the loopback port makes no GID, though the rail sends from it.
    const State all = rails_with([](Port& rail, unsigned place) {
        keep_link_local(rail);
        rail.routes->push_back({.to = *parse_prefix("10.0.0.0/8"),
                                .metric = 20 + place,
                                .via = parse_ip("fe80::1"),
                                .source = parse_ip("10.255.0.1"),
                                .protocol = kBgp});
    });
    CHECK(causes_of(diagnose({.now = &all})) == std::vector<std::string>{"no-address"});
}

TEST_CASE(
    "doctor: of a manager beside is said what it sets again, and what of it is against RoCE") {
    const auto said = [](Owners owners) {
        State now = whole(applied("gpu-rail"));
        find_port(now, fabric_of(applied("gpu-rail")).front())->owners = std::move(owners);
        const Diagnosis diagnosis = diagnose({.now = &now, .only = {"managed-beside"}});
        for (const Check& check : diagnosis.examination.checks)
            if (!check.faults.empty()) return check.faults.front();
        return Fault{};
    };
    const Fault nco = said({{"nic-configuration-operator", "/etc/udev/rules.d/x"}});
    CHECK(nco.text.find("pfc.priorities [3], dscp.trust dscp, ToS 0, ecn.cnp_dscp 4 (CNP_DSCP_P1 4 "
                        "up to release 26.7), ecn.cnp_dscp 48") != std::string::npos);
    CHECK(nco.text.starts_with(
        "nic-configuration-operator may manage the port too (/etc/udev/rules.d/x); where a "
        "NicConfigurationTemplate names the NIC, it sets again after each boot, with roceOptimized "
        "where its qos says nothing else: pfc.priorities [3], "));
    CHECK(nco.text.ends_with("; against what is meant here: ToS 0, meant is 106"));
    CHECK(nco.remedy.starts_with("where a NicConfigurationTemplate names the NIC, "));
    const Fault script = said({{"doRoCE", "x: /usr/bin/doRoCE.sh -t 160 --yes"}});
    CHECK(
        script.text.ends_with("against what is meant here: pfc.priorities [5], meant is [3], "
                              "rdma.traffic_class 160, meant is 106, rdma.default_tos 160, meant "
                              "is 106"));
    CHECK(
        script.text.starts_with("doRoCE manages the port too (x: /usr/bin/doRoCE.sh -t 160 "
                                "--yes), and sets again whenever openibd, "));
    CHECK(script.remedy == "/usr/bin/doRoCE.sh --uninstall");
    CHECK(said({{"doRoCE", "x: /usr/bin/doRoCE.sh --yes"}}).text.find("against") ==
          std::string::npos);
    CHECK(said({{"lldpad", "it runs"}}).text == "lldpad manages the port too (it runs)");
}

TEST_CASE("doctor: what turns RDMA off is read in the words of each library") {
    const auto off = [](const char* name, const char* value) {
        State now = whole(applied("gpu-rail"));
        find_port(now, kHost)->environments =
            Environments{{.process = 7, .program = "serve", .name = name, .value = value}};
        const Diagnosis diagnosis = diagnose({.now = &now, .only = {"app-rdma-off"}});
        return found(diagnosis).size();
    };
    CHECK(off("NCCL_IB_DISABLE", "1") == 1);
    CHECK(off("NCCL_IB_DISABLE", "0") == 0);
    CHECK(off("NCCL_NET", "Socket") == 1);
    CHECK(off("NCCL_NET", "SOCKET") == 1);
    CHECK(off("NCCL_NET", "sOCKET") == 1);
    CHECK(off("NCCL_NET", "Sockets") == 0);
    CHECK(off("NCCL_NET", "IB") == 0);
    CHECK(off("UCX_TLS", "tcp,sm,self") == 1);
    CHECK(off("UCX_TLS", "^ib") == 1);
    CHECK(off("UCX_TLS", "^tcp") == 0);
    CHECK(off("UCX_TLS", "rc_mlx5,sm") == 0);
    CHECK(off("UCX_TLS", "all") == 0);
    CHECK(off("NVSHMEM_REMOTE_TRANSPORT", "none") == 1);
    CHECK(off("NVSHMEM_REMOTE_TRANSPORT", "ibrc") == 0);
    CHECK(off("MC_FORCE_TCP", "") == 1);
    for (const char* name : {"NCCL_IB_DISABLE", "NCCL_NET", "UCX_TLS", "NVSHMEM_REMOTE_TRANSPORT",
                             "NVSHMEM_HCA_LIST", "MC_FORCE_TCP", "MC_TE_FILTERS"})
        CHECK(environments::is_kept(std::string(name) + "="));
}

TEST_CASE("doctor: a program that calls itself by the path of a file is a program all the same") {
    const auto fault_of = [](const Environments& environments, const Ucx& ucx) {
        State now = whole(applied("gpu-rail"));
        find_port(now, kHost)->environments = environments;
        find_port(now, kHost)->ucx = ucx;
        const Diagnosis diagnosis = diagnose({.now = &now, .only = {"app-rdma-off"}});
        for (const Check& check : diagnosis.examination.checks)
            if (!check.faults.empty()) return check.faults.front();
        return Fault{};
    };
    const Fault program = fault_of(
        {{.process = 1234, .program = "/etc/ucx.conf", .name = "UCX_TLS", .value = "tcp"}}, {});
    CHECK(program.slight);
    CHECK(program.text == "/etc/ucx.conf (1234): UCX_TLS tcp: UCX uses no RDMA");
    CHECK(program.remedy == "unset UCX_TLS for /etc/ucx.conf (1234) and start it anew");
    const Fault file = fault_of({}, {{"UCX_TLS", "tcp"}});
    CHECK_FALSE(file.slight);
    CHECK(file.text == "/etc/ucx/ucx.conf: UCX_TLS tcp: UCX uses no RDMA");
    CHECK(file.remedy == "unset UCX_TLS for what reads /etc/ucx/ucx.conf, and start it anew");
}

TEST_CASE("doctor: what is reported of one port has its name, in the report and on the page") {
    State now = whole(applied("bonded-port"));
    find_port(now, "ens1f1np1")->link->mtu = 1500;
    Asked host{.now = now};
    const Diagnosis diagnosis = host.diagnose();
    const cli::DoctorView view{
        .state = host.now, .diagnosis = diagnosis, .profile = "", .apply = ""};
    const std::string reported = "ens1f1np1, a member of bond0, has MTU 1500";
    CHECK(cli::doctor_text(view, cli::Style{.group_ports = true}).find(reported) !=
          std::string::npos);
    CHECK(cli::doctor_page({"doctor", Status::differs}, view).find(reported) != std::string::npos);
}

TEST_CASE("doctor: a port for management that answers ARP for the fabric's addresses is reported") {
    State now = whole(applied("nvmeof-storage"));
    Port& rail = *find_port(now, "eth2");
    rail.addresses = {{.ip = *parse_ip("10.1.0.7"), .prefix_length = 24}};
    Port other("m9");
    other.link = Link{.up = true, .carrier = true};
    other.addresses = {{.ip = *parse_ip("10.1.0.200"), .prefix_length = 24}};
    other.routes.emplace();
    other.ipv4.emplace();
    now.ports.push_back(other);
    Asked host{.now = now};
    const std::vector<std::string> reported = found(host.diagnose());
    CHECK(std::ranges::find(reported,
                            "arp-flux: eth2: m9 is in one subnet with it and answers ARP for its "
                            "addresses (arp_ignore 0)") != reported.end());
}

TEST_CASE("doctor: of two ports the slower one is reported where it could be as fast") {
    const Json& host = applied("nvmeof-storage");
    const std::vector<std::string> fabric = fabric_of(host);
    REQUIRE(fabric.size() == 2);
    const Json fault = {{"of", "nvmeof-storage"}};
    const auto reported = [&](const Json& patch) {
        const Json broken = patched(host, fabric, patch);
        return found(asked(fault, broken, broken).diagnose());
    };
    CHECK(reported(Json::object()).empty());
    CHECK(reported({{"port", {{"speed", 25000}}}}) ==
          std::vector<std::string>{"speed-of-siblings: " + fabric[0] + ": the link has 25 Gb/s, " +
                                   fabric[1] +
                                   " of its kind has 100 Gb/s, which this port could have too"});
    // One that has no such link mode is as fast as it can be.
    CHECK(reported({{"port",
                     {{"speed", 25000},
                      {"link",
                       {{"offered",
                         {{"100000baseCR2/Full", nullptr}, {"100000baseCR4/Full", nullptr}}}}}}}})
              .empty());
}

}  // namespace doctor_stories_test
