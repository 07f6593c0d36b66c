// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/hosts.hpp"

namespace doctor_bonds_test {

using namespace core;
using namespace broken_hosts;

namespace {

/// The first fault of the row; nothing where it found none.
std::optional<Fault> first_fault(const Diagnosis& diagnosis, std::string_view id) {
    for (const Check& check : diagnosis.examination.checks)
        if (check.row->id == id && !check.faults.empty()) return check.faults.front();
    return std::nullopt;
}

/// A bond with its RDMA device on a member, as irdma keeps it, and with the GID of the bond's
/// address.
State bond_by_member() {
    State now = whole(applied("bonded-port"));
    Port& bond = *find_port(now, "bond0");
    Port& member = *find_port(now, "ens1f0np0");
    member.rdma_link = bond.rdma_link;
    member.rdma_port = bond.rdma_port;
    member.active_mtu = bond.active_mtu;
    member.cm_defaults = bond.cm_defaults;
    bond.rdma_link = RdmaLink{};
    bond.rdma_port.reset();
    member.neighbours = std::vector<Neighbour>{};
    member.rdma_port->gids = std::vector<Gid>{
        {.index = 1, .gid = "::ffff:10.0.0.7", .type = "RoCE v2", .port = "bond0"}};
    return now;
}

}  // namespace

TEST_CASE("doctor: what is the bond's is not asked of its members, whoever names them") {
    const Json& host = applied("bonded-port");
    for (const bool by_profile : {false, true}) {
        INFO(by_profile);
        Asked sound = asked({{"of", "bonded-port"}, {"profile", by_profile}}, host, host);
        const Diagnosis well = sound.diagnose();
        CHECK(found(well) == std::vector<std::string>{});
        CHECK(well.examination.ports ==
              std::vector<std::string>{"ens1f0np0", "ens1f1np1", "bond0"});
        for (const Check& check : well.examination.checks)
            if (check.port != "bond0" && check.row->id == "rdma-device-missing")
                CHECK(check.reason == "it is looked for on bond0, the bond that has RoCE");
        for (const Chain& chain : well.chains)
            if (chain.name != "class") CHECK(chain.ports == std::vector<std::string>{"bond0"});
    }
    // Where the bond has lost its device, that is the bond's fault alone.
    const Json lost =
        patched(host, {}, {{"ports", {{"bond0", {{"rdma", {{"device", ""}, {"name", ""}}}}}}}});
    Asked ill = asked({{"of", "bonded-port"}, {"profile", true}}, lost, lost);
    CHECK(found(ill.diagnose()) ==
          std::vector<std::string>{"rdma-device-missing: bond0: the port has no RDMA device"});
}

TEST_CASE("doctor: a bond that watches no member is reported, and worse where a link is lost") {
    State now = whole(applied("bonded-port"));
    Port& bond = *find_port(now, "bond0");
    bond.bond = Bond{.mode = "active-backup"};
    const auto reported = [&now] {
        Asked host{.now = now};
        return host.diagnose();
    };
    const auto unwatched = first_fault(reported(), "bond-unwatched");
    REQUIRE(unwatched);
    CHECK(unwatched->slight);
    CHECK(unwatched->text ==
          "the bond bond0 watches no links (miimon 0), and goes on sending by a "
          "member that lost its own");
    find_port(now, "ens1f1np1")->link->carrier = false;
    const auto lost = first_fault(reported(), "bond-unwatched");
    REQUIRE(lost);
    CHECK_FALSE(lost->slight);
    CHECK(lost->text.ends_with("member that lost its own: ens1f1np1"));
    CHECK_FALSE(first_fault(reported(), "bond-member-lost"));
    for (std::uint32_t Bond::*watch : {&Bond::miimon, &Bond::arp_interval}) {
        bond.bond->miimon = bond.bond->arp_interval = 0;
        (*bond.bond).*watch = 100;
        CHECK_FALSE(first_fault(reported(), "bond-unwatched"));
        CHECK(first_fault(reported(), "bond-member-lost"));
    }
}

TEST_CASE("doctor: a bond is looked at where a profile names its members alone") {
    const Json down = patched(applied("bonded-port"), {},
                              {{"ports", {{"bond0", {{"rdma", {{"state", "DOWN"}}}}}}}});
    Asked host = asked({{"of", "bonded-port"}, {"profile", true}}, down, down);
    std::erase(host.desired_values->ports, "bond0");
    std::erase_if(host.desired_values->desired_values,
                  [](const Desired& desired) { return desired.port == "bond0"; });
    const Diagnosis diagnosis = host.diagnose();
    const std::vector<std::string> reported = found(diagnosis);
    INFO(doctest::toString(reported));
    CHECK(std::ranges::any_of(reported, [](const std::string& each) {
        return each.starts_with("rdma-not-active: bond0: the RDMA port is DOWN");
    }));
    for (const auto& [member, bond] : diagnosis.examination.bonds)
        CHECK(std::ranges::find(diagnosis.examination.ports, bond) !=
              diagnosis.examination.ports.end());
}

TEST_CASE("doctor: of a bond whose member has the device the addresses are the member's to carry") {
    State now = bond_by_member();
    Port& member = *find_port(now, "ens1f0np0");
    const auto gids =
        std::exchange(*member.rdma_port->gids,
                      {{.index = 0, .gid = "fe80::1", .type = "RoCE v2", .port = "bond0"}});
    const auto lacking = first_fault(diagnose({.now = &now}), "no-gid");
    REQUIRE(lacking);
    CHECK(lacking->text == "no RoCE v2 GID is 10.0.0.7, an address of bond0");
    member.rdma_port->gids->insert(member.rdma_port->gids->end(), gids.begin(), gids.end());
    const Diagnosis well = diagnose({.now = &now});
    CHECK(found(well) == std::vector<std::string>{});
    std::set<std::string> addresses;
    for (const Chain& chain : well.chains)
        for (const ChainLink& link : chain.links)
            if (link.name == "address") addresses.insert(link.found);
    CHECK(addresses == std::set<std::string>{"10.0.0.7"});
}

TEST_CASE("doctor: what sends by a member's device is looked at there, the bond and its VLANs") {
    const State sound = bond_by_member();
    const auto vlan = [](std::uint32_t mtu, bool up) {
        Port out("bond0.7");
        out.link = Link{.kind = "vlan", .lower = "bond0", .up = up, .carrier = up, .mtu = mtu};
        out.vlan = Vlan{.parent = "bond0", .id = 7};
        out.addresses = {{.ip = *parse_ip("10.7.0.7"), .prefix_length = 24}};
        out.routes = std::vector<Route>{};
        out.neighbours = std::vector<Neighbour>{};
        return out;
    };
    const Ip gateway = *parse_ip("10.0.0.1");
    struct Case {
        std::string id;
        std::string text;
        std::function<void(State&)> breaks;
    };
    const std::vector<Case> cases = {
        {"neighbour-failed", "the gateway 10.0.0.1 does not answer on bond0 (failed)",
         [&](State& state) {
             Port& bond = *find_port(state, "bond0");
             bond.routes->push_back({.to = *parse_prefix("10.9.0.0/16"), .via = gateway});
             bond.neighbours = {{.ip = gateway, .state = "failed"}};
         }},
        {"asked-on-link",
         "the host asked on bond0 for 10.9.9.9, which is in no network of bond0, and nobody "
         "answered",
         [&](State& state) {
             find_port(state, "bond0")->neighbours = {
                 {.ip = *parse_ip("10.9.9.9"), .state = "incomplete"}};
         }},
        {"vlan-down", "VLAN bond0.7, with the address 10.7.0.7, is set down",
         [&](State& state) { state.ports.push_back(vlan(1500, false)); }},
        {"vlan-mtu-low",
         "VLAN bond0.7 has MTU 1500, which gives an RDMA MTU of 1024; that of the port gives 4096",
         [&](State& state) { state.ports.push_back(vlan(1500, true)); }},
        {"port-down", "the bond bond0, which sends by the port, is administratively down",
         [&](State& state) {
             state.ports.push_back(vlan(1500, false));
             find_port(state, "bond0")->link->up = false;
         }},
        {"vlan-mtu", "VLAN bond0.7 has MTU 9100, bond0 below it has 9000",
         [&](State& state) { state.ports.push_back(vlan(9100, true)); }},
    };
    for (const Case& each : cases) {
        INFO(each.id);
        CHECK_FALSE(first_fault(diagnose({.now = &sound}), each.id));
        State ill = sound;
        each.breaks(ill);
        const Diagnosis diagnosis = diagnose({.now = &ill});
        const auto fault = first_fault(diagnosis, each.id);
        INFO(reasons(diagnosis));
        REQUIRE(fault);
        CHECK(fault->text == each.text);
    }
    State ill = sound;
    cases.front().breaks(ill);
    const Diagnosis reported = diagnose({.now = &ill});
    const auto cause = std::ranges::find(reported.causes, "neighbour-failed",
                                         [](const Suspect& each) { return each.row->id; });
    REQUIRE(cause != reported.causes.end());
    CHECK(test_of(*cause) == "ping -I bond0 10.0.0.1; ip neighbour show dev bond0");
    // What is refused of the bond is not known of what sends by the member.
    Port& refused = *find_port(ill, "bond0");
    refused.neighbours.reset();
    refused.refused[find_field("neighbours_learned")->object] = {.code = EPERM, .text = "no"};
    const Diagnosis unknown = diagnose({.now = &ill});
    const auto looked = std::ranges::find_if(unknown.examination.checks, [](const Check& check) {
        return check.row->id == "neighbour-failed" && check.port == "ens1f0np0";
    });
    REQUIRE(looked != unknown.examination.checks.end());
    CHECK(looked->verdict == Verdict::unknown);
    CHECK(looked->reason.starts_with("bond0: "));
    // A VLAN on what is down cannot be set up, and on a bond it has at most the bond's MTU.
    State down = sound;
    down.ports.push_back(vlan(1500, false));
    find_port(down, "bond0")->link->up = false;
    CHECK_FALSE(first_fault(diagnose({.now = &down}), "vlan-down"));
    // The member's own link and the bond are two faults, and neither stands for the other.
    find_port(down, "ens1f0np0")->link->up = false;
    std::vector<std::string> set_up;
    for (const Check& check : diagnose({.now = &down}).examination.checks)
        if (check.row->id == "port-down" && check.port == "ens1f0np0")
            for (const Fault& each : check.faults)
                set_up.push_back(each.fix.front().port);
    CHECK(set_up == std::vector<std::string>{"ens1f0np0", "bond0"});
    State small = sound;
    small.ports.push_back(vlan(1500, true));
    find_port(small, "bond0")->link->mtu = 1500;
    CHECK_FALSE(first_fault(diagnose({.now = &small}), "vlan-mtu-low"));
    // Where the profile names the bond too, what is wrong with it is reported of the bond alone.
    Asked named = asked({{"of", "bonded-port"}, {"profile", true}}, applied("bonded-port"),
                        applied("bonded-port"));
    named.now = sound;
    cases.front().breaks(named.now);
    named.now.ports.push_back(vlan(1500, false));
    const Diagnosis by_profile = named.diagnose();
    for (const std::string_view id : {"neighbour-failed", "vlan-down"}) {
        CAPTURE(id);
        std::vector<std::string> ports;
        for (const Check& check : by_profile.examination.checks)
            if (check.row->id == id && !check.faults.empty()) ports.push_back(check.port);
        CHECK(ports == std::vector<std::string>{"bond0"});
    }
    // What a VLAN's MTU gives goes by the driver of the member that has the device: ice takes 4096
    // bytes of payload for 4096, others less.
    Asked by_ice = named;
    for (const char* name : {"ens1f0np0", "ens1f1np1"})
        find_port(by_ice.now, name)->device->driver = "ice";
    find_port(by_ice.now, "bond0")->link->mtu = 9000;
    Port& tagged = *find_port(by_ice.now, "bond0.7");
    tagged = vlan(4096, true);
    CHECK_FALSE(first_fault(by_ice.diagnose(), "vlan-mtu-low"));
    tagged.link->mtu = 4095;
    const auto low = first_fault(by_ice.diagnose(), "vlan-mtu-low");
    REQUIRE(low);
    CHECK(low->text ==
          "VLAN bond0.7 has MTU 4095, which gives an RDMA MTU of 2048; that of the "
          "port gives 4096");
    // Nor is a VLAN told to be set up on what is meant to be down.
    std::erase_if(named.desired_values->desired_values, [](const Desired& desired) {
        return desired.port == "bond0" && desired.field->key == "up";
    });
    Desired meant = hosts::desired("up", false);
    meant.port = "bond0";
    named.desired_values->desired_values.push_back(meant);
    find_port(named.now, "bond0")->link->up = false;
    const Diagnosis meant_down = named.diagnose();
    CHECK_FALSE(first_fault(meant_down, "port-down"));
    CHECK_FALSE(first_fault(meant_down, "vlan-down"));
}

TEST_CASE("doctor: members with a device each are a warning, unless the switch spreads packets") {
    const std::vector<Json> all = faults();
    const auto row = std::ranges::find(
        all, "roce-lag-inactive", [](const Json& fault) { return fault["id"].get<std::string>(); });
    REQUIRE(row != all.end());
    State now = whole(mutant("bonded-port", {*row}).broken);
    for (const bool spreads : {false, true}) {
        INFO(spreads);
        find_port(now, "bond0")->bond =
            Bond{.mode = spreads ? "802.3ad" : "active-backup", .xmit_hash_policy = "layer3+4"};
        const auto fault = first_fault(diagnose({.now = &now}), "roce-lag-inactive");
        REQUIRE(fault);
        CHECK(fault->slight != spreads);
    }
    // What a soft device stands on no NIC could bond.
    State soft = now;
    for (const char* member : {"ens1f0np0", "ens1f1np1"})
        find_port(soft, member)->rdma_link->type = "rxe";
    CHECK_FALSE(first_fault(diagnose({.now = &soft}), "roce-lag-inactive"));
    // A bond for management has nothing to do with the fabric.
    Port& bond = *find_port(now, "bond0");
    bond.routes = {{.to = *parse_prefix("0.0.0.0/0"), .via = parse_ip("10.0.0.1")}};
    Port rail = *find_port(now, "ens1f0np0");
    rail.name = "rail0";
    rail.link->master.clear();
    rail.link->master_kind.clear();
    now.ports.push_back(rail);
    CHECK_FALSE(first_fault(diagnose({.now = &now}), "roce-lag-inactive"));
}

TEST_CASE("doctor: a member with another MTU is no longer as its profile states") {
    const Json small =
        patched(applied("bonded-port"), {}, {{"ports", {{"ens1f1np1", {{"mtu", 1500}}}}}});
    Asked ill = asked({{"of", "bonded-port"}, {"profile", true}}, small, small);
    CHECK_FALSE(satisfied(make_plan(*ill.desired_values, ill.now)));
    CHECK(first_fault(ill.diagnose(), "bond-member-mtu"));
}

TEST_CASE("doctor: a port that fell out of its bond is not told to take an address of its own") {
    const Json fallen = patched(applied("bonded-port"), {},
                                {{"ports",
                                  {{"ens1f1np1",
                                    {{"master", nullptr},
                                     {"master_kind", nullptr},
                                     {"rdma", {{"device", "mlx5_1"}, {"name", "mlx5_1"}}}}}}}});
    Asked ill = asked({{"of", "bonded-port"}, {"profile", true}}, fallen, fallen);
    Desired member = hosts::desired("bond.members", std::string("ens1f1np1"), "ens1f1np1");
    member.port = "bond0";
    ill.desired_values->desired_values.push_back(member);
    const std::vector<std::string> reported = found(ill.diagnose());
    INFO(doctest::toString(reported));
    const auto says = [&](std::string_view words) {
        return std::ranges::any_of(
            reported, [&](const std::string& each) { return each.starts_with(words); });
    };
    CHECK(says("drift: bond0: bond.members"));
    CHECK_FALSE(says("no-address: ens1f1np1"));
}

}  // namespace doctor_bonds_test
