// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "cli/command.hpp"
#include "cli/files/text_file.hpp"
#include "cli/views/doctor.hpp"
#include "cli/views/doctor_page.hpp"
#include "core/checks/catalogue.hpp"
#include "core/checks/growth.hpp"
#include "core/doctor/comparison.hpp"
#include "core/doctor/diagnosis.hpp"
#include "core/doctor/reading.hpp"
#include "core/json/json.hpp"
#include "core/plan/look.hpp"
#include "core/redact/redaction.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace doctor_test {

using namespace core;

namespace {

std::string source(const std::string& path) {
    return cli::read_file(ROCECTL_SOURCE_DIR "/tests/" + path);
}

Profile shipped_profile(const std::string& name) {
    return profiles::load(R"({"format": 1, "extends": [")" + name + R"("]})");
}

Variables variables_of(const std::string& name) {
    return load_variables({name, source("vars/" + name + ".json")});
}

/// The host of a shipped profile once that is applied, as its state file.
const Json& applied(const std::string& name) {
    static std::map<std::string, Json> made;
    if (const auto known = made.find(name); known != made.end()) return known->second;
    StateFile host(parse_state(source("states/" + name + ".json"), name));
    const State inventory = host.state();
    const Wishes wishes = resolve(shipped_profile(name), variables_of(name), inventory);
    const Look found = look(host, wishes, inventory, {});
    REQUIRE(apply(host, wishes, found.plan).status == Status::done);
    return made[name] = to_json(host.state());
}

std::vector<std::string> fabric_of(const Json& state) {
    const State now = parse_state(state.dump(), "state");
    std::vector<std::string> out;
    for (const Port* port : fabric_ports(now, nullptr))
        out.push_back(port->name);
    return out;
}

/// What a patch says of the port, as tests/doctor/README.md has it.
Json patched(Json state, const std::vector<std::string>& fabric, const Json& patch) {
    if (patch.contains("host")) state["host"].merge_patch(patch["host"]);
    for (Json& port : state["ports"]) {
        const auto name = port["name"].get<std::string>();
        const auto at = std::ranges::find(fabric, name);
        if (patch.contains("port") && at == fabric.begin()) port.merge_patch(patch["port"]);
        if (patch.contains("none") && at == fabric.begin())
            for (const Json& place : patch["none"])
                port[Json::json_pointer(place.get<std::string>())] = nullptr;
        if (patch.contains("others") && at != fabric.begin() && at != fabric.end())
            port.merge_patch(patch["others"]);
        if (patch.contains("ports") && patch["ports"].contains(name))
            port.merge_patch(patch["ports"][name]);
    }
    return state;
}

struct Asked {
    State now{};
    std::optional<State> earlier{};
    std::optional<Wishes> wishes{};
    Inquiry inquiry{};

    Diagnosis diagnose() {
        constexpr double window = 10;
        inquiry.now = &now;
        if (earlier) {
            inquiry.earlier = &*earlier;
            inquiry.seconds = window;
            inquiry.twice = true;
        }
        if (wishes) inquiry.wishes = &*wishes;
        return core::diagnose(inquiry);
    }
};

/// As the command reads it: with the host itself.
State whole(const Json& state) {
    StateFile host(parse_state(state.dump(), "state"));
    return hosts::read_all(host);
}

Asked asked(const Json& fault, const Json& state, const Json& earlier) {
    Asked out{.now = whole(state)};
    if (fault.contains("earlier")) out.earlier = whole(earlier);
    const auto name = fault["of"].get<std::string>();
    if (fault.value("profile", false))
        out.wishes = resolve(shipped_profile(name), variables_of(name), out.now);
    return out;
}

/// The ids of the causes, and what was found of each.
std::vector<std::string> found(const Diagnosis& diagnosis) {
    std::vector<std::string> out;
    for (const Suspect& cause : diagnosis.causes)
        for (const Check* check : cause.checks)
            for (const Fault& each : check->faults)
                out.push_back(std::string(cause.row->id) + ": " + check->port + ": " + each.text);
    return out;
}

std::string reasons(const Diagnosis& diagnosis) {
    std::string out;
    for (const Check& check : diagnosis.examination.checks)
        if (check.verdict == Verdict::unknown || check.verdict == Verdict::crash)
            out += std::string(check.row->id) + ": " + check.port + ": " + check.reason + '\n';
    return out;
}

Json faults() {
    return Json::parse(source("doctor/faults.json"));
}

}  // namespace

TEST_CASE("doctor: each fault by itself is named first, and nothing else as a cause") {
    for (const Json& fault : faults()) {
        const auto id = fault["id"].get<std::string>();
        INFO(id);
        const Json& host = applied(fault["of"].get<std::string>());
        const std::vector<std::string> fabric = fabric_of(host);
        const Json sound = patched(host, fabric, fault.value("given", Json::object()));
        CHECK(found(asked(fault, sound, sound).diagnose()) == std::vector<std::string>{});
        const Json broken = patched(sound, fabric, fault["fault"]);
        Asked ill = asked(fault, broken, sound);
        const Diagnosis diagnosis = ill.diagnose();
        INFO(doctest::toString(found(diagnosis)));
        REQUIRE(diagnosis.causes.size() == 1);
        CHECK(diagnosis.causes.front().row->id == id);
        for (const Chain& chain : diagnosis.chains)
            if (std::ranges::any_of(chain.links, [&](const ChainLink& link) {
                    return link.broken != nullptr && link.broken->id == id;
                }))
                CHECK(first_broken(chain)->broken->id == id);
    }
}

TEST_CASE("doctor: where the NIC's own agent has DCBX, what takes it away is said, and no write") {
    const State state = parse_state(source("states/bnxt_en-agent.json"), "state");
    Asked host{.now = whole(to_json(state))};
    const Diagnosis diagnosis = host.diagnose();
    const auto found = std::ranges::find_if(diagnosis.examination.checks, [](const Check& check) {
        return check.row->id == "dcbx-firmware" && !check.faults.empty();
    });
    REQUIRE(found != diagnosis.examination.checks.end());
    CHECK(found->faults.front().mend.empty());
    CHECK(found->faults.front().remedy == driver_named("bnxt_en").dcbx.agent_remedy);
}

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
    child.link = Link{.kind = "vlan", .lower = "bond0", .up = true, .carrier = true};
    child.vlan = Vlan{.parent = "bond0", .id = 100, .egress = {{2, 5}}};
    bonded.now.ports.push_back(child);
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
    };
}

}  // namespace

TEST_CASE("doctor: what strangers broke and were told is well") {
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
        const std::vector<std::string> told = found(ill.diagnose());
        std::string all;
        for (const std::string& each : told)
            all += each + '\n';
        INFO(all);
        CHECK((story.expected.empty() ? told.empty()
                                      : std::ranges::any_of(told, [&](const std::string& each) {
                                            return each.starts_with(story.expected);
                                        })));
    }
}

TEST_CASE("doctor: what stands on a port and is no VLAN is not taken for one") {
    State now = whole(applied("nvmeof-storage"));
    Port& rail = *find_port(now, "eth2");
    rail.rdma_port->gids = {{.index = 0, .gid = "fe80::1", .type = "RoCE v2", .port = "eth2"}};
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
    const auto told = Json::parse(cli::doctor_json({.command = "doctor"}, view));
    CHECK(told["left_out"] == Json{"enp26s0np0"});
}

TEST_CASE("doctor: what is told of one port has its name, in the report and on the page") {
    State now = whole(applied("bonded-port"));
    find_port(now, "ens1f1np1")->link->mtu = 1500;
    Asked host{.now = now};
    const Diagnosis diagnosis = host.diagnose();
    const cli::DoctorView view{
        .state = host.now, .diagnosis = diagnosis, .profile = "", .apply = ""};
    const std::string told = "ens1f1np1, a member of bond0, has MTU 1500";
    CHECK(cli::doctor_text(view, cli::Style{.fold = true}).find(told) != std::string::npos);
    CHECK(cli::doctor_page(view).find(told) != std::string::npos);
}

TEST_CASE("doctor: a port for management that answers ARP for the fabric's addresses is told") {
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
    const std::vector<std::string> told = found(host.diagnose());
    CHECK(std::ranges::find(told,
                            "arp-flux: eth2: m9 is in one subnet with it and answers ARP for its "
                            "addresses (arp_ignore 0)") != told.end());
}

TEST_CASE("doctor: of two ports the slower one is told where it could be as fast") {
    const Json& host = applied("nvmeof-storage");
    const std::vector<std::string> fabric = fabric_of(host);
    REQUIRE(fabric.size() == 2);
    const Json fault = {{"of", "nvmeof-storage"}};
    const auto told = [&](const Json& patch) {
        const Json broken = patched(host, fabric, patch);
        return found(asked(fault, broken, broken).diagnose());
    };
    CHECK(told(Json::object()).empty());
    CHECK(told({{"port", {{"speed", 25000}}}}) ==
          std::vector<std::string>{"speed-of-siblings: " + fabric[0] + ": the link has 25 Gb/s, " +
                                   fabric[1] +
                                   " of its kind has 100 Gb/s, which this port could have too"});
    // One that has no such link mode is as fast as it can be.
    CHECK(told({{"port",
                 {{"speed", 25000},
                  {"link",
                   {{"offered",
                     {{"100000baseCR2/Full", nullptr}, {"100000baseCR4/Full", nullptr}}}}}}}})
              .empty());
}

TEST_CASE("doctor: what breaks a link of a chain is a finding that doctor looks for") {
    const std::vector<const FindingRow*> rows = doctor_rows();
    CHECK(core::chain_breaks().size() > 30);
    for (const std::string_view id : core::chain_breaks()) {
        INFO(id);
        CHECK(std::ranges::find(rows, id, &FindingRow::id) != rows.end());
    }
}

TEST_CASE("doctor: each check that is doctor's own has its fault") {
    std::set<std::string> ids;
    for (const Json& fault : faults())
        CHECK(ids.insert(fault["id"].get<std::string>()).second);
    for (const FindingRow* row : doctor_rows()) {
        INFO(row->id);
        if (row->looks_at != LooksAt::settings) CHECK(ids.contains(std::string(row->id)));
    }
}

TEST_CASE("doctor: what a row names is in the catalogue, and what it rests on comes before it") {
    const std::vector<const FindingRow*>& all = catalogue();
    for (const FindingRow* row : all) {
        INFO(row->id);
        for (const std::string_view id : row->cause.explains) {
            INFO(id);
            CHECK(find_finding(id) != nullptr);
            CHECK(id != row->id);
            // What is on one port says nothing of the whole host.
            CHECK((row->looks_at != LooksAt::port || find_finding(id)->looks_at != LooksAt::host));
        }
        const auto own = std::ranges::find(all, row);
        for (const std::string_view id : row->needs.sound) {
            INFO(id);
            CHECK(std::ranges::find(all, find_finding(id)) < own);
        }
        for (const std::string_view key : row->needs.beside)
            CHECK(find_field(key) != nullptr);
        if (row->looks_at != LooksAt::settings) CHECK(row->needs.wished.empty());
    }
}

TEST_CASE("doctor: a host on which a shipped profile was applied has nothing that is wrong") {
    for (const char* name :
         {"gpu-rail", "e810", "db-cluster", "soft-roce", "mixed-nics", "nvmeof-storage"}) {
        INFO(std::string(name));
        Asked bare{.now = whole(applied(name))};
        const Diagnosis diagnosis = bare.diagnose();
        CHECK(found(diagnosis) == std::vector<std::string>{});
        INFO(reasons(diagnosis));
        CHECK(status_of(diagnosis.examination, true) == Status::done);
        CHECK_FALSE(diagnosis.examination.ports.empty());
    }
}

namespace {

/// The places that a patch sets, of the ports by what they are in their own.
std::set<std::string> places(const Json& patch) {
    static const std::regex head("^/(port|others|ports/[^/]+)");
    std::set<std::string> out;
    const Json flat = patch.flatten();
    for (const auto& [place, value] : flat.items())
        out.insert(std::regex_replace(place, head, "/port"));
    return out;
}

bool meet(const std::set<std::string>& one, const std::set<std::string>& other) {
    return std::ranges::any_of(one, [&](const std::string& place) {
        return std::ranges::any_of(other, [&](const std::string& beside) {
            return place.starts_with(beside) || beside.starts_with(place);
        });
    });
}

/// Whether both change one place, or one changes what the other stands on.
bool overlap(const Json& left, const Json& right) {
    const auto ground = [](const Json& fault) {
        return places(fault.value("given", Json::object()));
    };
    const std::set<std::string> one = places(left["fault"]);
    const std::set<std::string> other = places(right["fault"]);
    return meet(one, other) || meet(one, ground(right)) || meet(ground(left), other);
}

/// A host with the ground of all these faults, and with the faults.
struct Mutant {
    Json sound{};
    Json broken{};
};
Mutant mutant(const std::string& of, const std::vector<Json>& faults) {
    const Json& host = applied(of);
    const std::vector<std::string> fabric = fabric_of(host);
    Mutant out{.sound = host, .broken = host};
    for (const Json& fault : faults)
        out.sound = patched(out.sound, fabric, fault.value("given", Json::object()));
    out.broken = out.sound;
    for (const Json& fault : faults)
        out.broken = patched(out.broken, fabric, fault["fault"]);
    return out;
}

Diagnosis diagnosis_of(const Json& state) {
    static State now;
    now = whole(state);
    return diagnose({.now = &now});
}

/// As all of these faults ask for it: with an earlier reading, with the profile.
Json asked_for(const std::string& of, const std::vector<Json>& faults) {
    Json out = {{"of", of}};
    for (const Json& fault : faults)
        for (const char* what : {"earlier", "profile"})
            if (fault.contains(what)) out[what] = fault[what];
    return out;
}

std::vector<std::string> causes_of(const Diagnosis& diagnosis) {
    std::vector<std::string> out;
    for (const Suspect& cause : diagnosis.causes)
        out.emplace_back(cause.row->id);
    return out;
}

/// Those that this host can have, and shows by themselves where it was read twice.
std::vector<Json> faults_of(const std::string& of) {
    std::vector<Json> out;
    for (const Json& fault : faults()) {
        if (fault.contains("profile")) continue;
        const Mutant one = mutant(of, {fault});
        const Json how = {{"of", of}, {"earlier", Json::object()}};
        Asked sound = asked(how, one.sound, one.sound);
        if (!sound.diagnose().causes.empty()) continue;
        Asked broken = asked(how, one.broken, one.sound);
        if (causes_of(broken.diagnose()) == std::vector{fault["id"].get<std::string>()})
            out.push_back(fault);
    }
    return out;
}

/// What was found, or not looked for since something before it was found.
bool is_told(const Diagnosis& diagnosis, const std::string& id) {
    return std::ranges::any_of(diagnosis.examination.checks, [&](const Check& check) {
        return check.row->id == id &&
               (!check.faults.empty() || check.reason.ends_with("was found"));
    });
}

/// Those that no other of them explains, or keeps from being looked for.
std::set<std::string> roots(const std::set<std::string>& ids) {
    const auto has = [](std::span<const std::string_view> all, const std::string& id) {
        return std::ranges::find(all, id) != all.end();
    };
    const auto skipped = [&](const std::string& id) {
        return std::ranges::any_of(ids, [&](const std::string& other) {
            return has(find_finding(id)->needs.sound, other);
        });
    };
    std::set<std::string> out;
    for (const std::string& id : ids)
        if (!skipped(id) && std::ranges::none_of(ids, [&](const std::string& other) {
                return has(find_finding(other)->cause.explains, id) && !skipped(other);
            }))
            out.insert(id);
    return out;
}

}  // namespace

namespace {

bool can_be_beside(const std::vector<Json>& some, const Json& next) {
    return std::ranges::none_of(some, [&](const Json& other) { return overlap(other, next); });
}

std::set<std::string> ids_of(const std::vector<Json>& faults) {
    std::set<std::string> out;
    for (const Json& fault : faults)
        out.insert(fault["id"].get<std::string>());
    return out;
}

/// Two or three that can be at once; or one and what follows from it, as far as there is any.
std::vector<Json> drawn(std::mt19937& random, const std::vector<Json>& known, bool related) {
    std::vector<Json> out = {known.at(random() % known.size())};
    for (const std::size_t wanted = 2 + random() % 2; out.size() < wanted;) {
        std::vector<Json> of;
        for (const Json& next : known)
            if (can_be_beside(out, next) &&
                (!related || roots(ids_of({out.front(), next})).size() < 2))
                of.push_back(next);
        if (of.empty()) break;
        out.push_back(of.at(random() % of.size()));
    }
    return out;
}

}  // namespace

namespace {

bool lives_in(const FindingRow& row, Lives place) {
    return std::ranges::any_of(row.needs.keys, [&](std::string_view key) {
        return row_of(find_field(key)->object).lives == place;
    });
}

}  // namespace

TEST_CASE("doctor: what is wrong with the wire is found on a member of a bond that has RoCE") {
    const Json& host = applied("bonded-port");
    const std::vector<std::string> fabric = fabric_of(host);
    REQUIRE(fabric == std::vector<std::string>{"ens1f0np0", "ens1f1np1", "bond0"});
    std::set<std::string> found_on_member;
    for (const Json& fault : faults()) {
        const auto id = fault["id"].get<std::string>();
        if (!fault["fault"].contains("port") || fault.contains("profile")) continue;
        const Mutant one = mutant("bonded-port", {fault});
        const Json how = {{"of", "bonded-port"}, {"earlier", Json::object()}};
        Asked well = asked(how, one.sound, one.sound);
        Asked ill = asked(how, one.broken, one.sound);
        if (!well.diagnose().causes.empty()) continue;
        for (const std::string& each : found(ill.diagnose()))
            if (each.starts_with(id + ": " + fabric.front() + ": ")) found_on_member.insert(id);
    }
    // What takes more than one member, or an RDMA device of its own, is left to the bond.
    const std::set<std::string> of_more = {"fec-of-siblings", "pcie-fatal-errors"};
    std::size_t looked_at = 0;
    for (const Json& fault : faults()) {
        const FindingRow& row = *find_finding(fault["id"].get<std::string>());
        const bool by_port = fault["fault"].contains("port") && !fault.contains("profile");
        if (!by_port || of_more.contains(std::string(row.id)) || !lives_in(row, Lives::hardware) ||
            lives_in(row, Lives::rdma_device))
            continue;
        INFO(row.id);
        CHECK(found_on_member.contains(std::string(row.id)));
        ++looked_at;
    }
    CHECK(looked_at > 25);
}

TEST_CASE("doctor: a check that is asked for alone reads all that it looks at") {
    const auto told = [](const Diagnosis& diagnosis, const std::string& id) {
        std::vector<std::string> out;
        for (const Check& check : diagnosis.examination.checks)
            if (check.row->id == id)
                for (const Fault& each : check.faults)
                    out.push_back(check.port + ": " + each.text);
        return out;
    };
    for (const Json& fault : faults()) {
        const auto id = fault["id"].get<std::string>();
        INFO(id);
        const Mutant one = mutant(fault["of"].get<std::string>(), {fault});
        Asked all = asked(fault, one.broken, one.sound);
        const std::vector<std::string> expected = told(all.diagnose(), id);
        Inquiry alone{.twice = fault.contains("earlier"), .only = {id}};
        if (all.wishes) alone.wishes = &*all.wishes;
        StateFile now_host(parse_state(one.broken.dump(), "state"));
        StateFile before_host(parse_state(one.sound.dump(), "state"));
        Asked few{.now = read_host(now_host, alone), .wishes = all.wishes, .inquiry = alone};
        if (alone.twice) few.earlier = read_host(before_host, alone);
        CHECK(told(few.diagnose(), id) == expected);
        CHECK_FALSE(expected.empty());
    }
}

TEST_CASE("doctor: of several faults at once the roots are the causes, and nothing else is") {
    std::mt19937 random(20261122);
    std::size_t all = 0;
    std::size_t right = 0;
    std::size_t related = 0;
    for (const char* of : {"gpu-rail", "e810", "mixed-nics", "nvmeof-storage", "soft-roce"}) {
        const std::vector<Json> known = faults_of(of);
        INFO(std::string(of));
        CHECK(known.size() >= 20);
        for (int round = 0; round < 80; ++round) {
            const std::vector<Json> some = drawn(random, known, round % 2 == 0);
            const std::set<std::string> ids = ids_of(some);
            const Mutant one = mutant(of, some);
            const Json how = {{"of", of}, {"earlier", Json::object()}};
            Asked sound = asked(how, one.sound, one.sound);
            // What one needs beside may be what the other is.
            if (!sound.diagnose().causes.empty()) continue;
            Asked ill = asked(how, one.broken, one.sound);
            const Diagnosis diagnosis = ill.diagnose();
            const std::vector<std::string> causes = causes_of(diagnosis);
            const std::set<std::string> expected = roots(ids);
            INFO(doctest::toString(std::vector<std::string>(ids.begin(), ids.end())));
            INFO(doctest::toString(found(diagnosis)));
            const bool none_lost = std::ranges::all_of(
                ids, [&](const std::string& id) { return is_told(diagnosis, id); });
            ++all;
            if (expected.size() < ids.size()) ++related;
            if (std::set(causes.begin(), causes.end()) == expected && none_lost)
                ++right;
            else
                MESSAGE("other causes");
        }
    }
    MESSAGE(right, " of ", all, " times the roots were the causes, ", related,
            " times one was another's");
    CHECK(all > 300);
    CHECK(related > 40);
    CHECK(right == all);
}

TEST_CASE("doctor: two or three faults at once are told in the order of together.json") {
    const Json known = faults();
    const Json table = Json::parse(source("doctor/together.json"));
    CHECK(table.size() >= 30);
    for (const Json& row : table) {
        std::vector<Json> some;
        for (const Json& id : row["faults"])
            for (const Json& fault : known)
                if (fault["id"] == id) some.push_back(fault);
        const auto of = row["of"].get<std::string>();
        INFO(row["faults"].dump());
        REQUIRE(some.size() == row["faults"].size());
        const Mutant one = mutant(of, some);
        const Json how = asked_for(of, some);
        Asked sound = asked(how, one.sound, one.sound);
        CHECK(found(sound.diagnose()) == std::vector<std::string>{});
        Asked ill = asked(how, one.broken, one.sound);
        const Diagnosis diagnosis = ill.diagnose();
        INFO(doctest::toString(found(diagnosis)));
        CHECK(causes_of(diagnosis) == row["causes"].get<std::vector<std::string>>());
        for (const Json& id : row["faults"])
            CHECK(is_told(diagnosis, id.get<std::string>()));
    }
}

namespace {

/// The report, of which each line is told whole.
std::string report(Asked& asked, const Diagnosis& diagnosis, const std::string& profile) {
    const cli::DoctorView view{
        .state = asked.now,
        .diagnosis = diagnosis,
        .profile = profile,
        .apply = profile.empty() ? "" : "rocectl apply " + profile + " --set nic=eth1"};
    return cli::doctor_text(view, cli::Style{});
}

}  // namespace

TEST_CASE("doctor: of each host of said.json the report says what stands there") {
    const Json table = Json::parse(source("doctor/said.json"));
    CHECK(table.size() >= 20);
    for (const Json& row : table) {
        INFO(row["case"].get<std::string>());
        const Json& host = applied(row["of"].get<std::string>());
        const std::vector<std::string> fabric = fabric_of(host);
        const Json broken = patched(host, fabric, row["fault"]);
        Asked ill = asked(row, broken, broken);
        const Diagnosis diagnosis = ill.diagnose();
        const std::string profile = ill.wishes ? row["of"].get<std::string>() : "";
        const std::string text = report(ill, diagnosis, profile);
        INFO(text);
        if (row.contains("causes"))
            CHECK(causes_of(diagnosis) == row["causes"].get<std::vector<std::string>>());
        for (const Json& said : row["says"]) {
            INFO(said);
            CHECK(text.find(said.get<std::string>()) != std::string::npos);
        }
        for (const Json& said : row["lacks"]) {
            INFO(said);
            CHECK(text.find(said.get<std::string>()) == std::string::npos);
        }
    }
}

TEST_CASE("doctor: what a test or a doubt names in capitals is filled in") {
    const std::regex place("\\b(PORT|ADDRESS|OWN|PID|GATEWAY)\\b");
    for (const Json& fault : faults()) {
        INFO(fault["id"].get<std::string>());
        const Mutant one = mutant(fault["of"], {fault});
        Asked ill = asked(fault, one.broken, one.sound);
        for (const Suspect& cause : ill.diagnose().causes) {
            INFO(test_of(cause), ruled_out_by(cause));
            CHECK_FALSE(std::regex_search(test_of(cause), place));
            CHECK_FALSE(std::regex_search(ruled_out_by(cause), place));
        }
    }
}

TEST_CASE("doctor: a port that is down is one failure, and what needs it up is skipped") {
    const Json known = faults();
    const auto down = std::ranges::find(
        known, "port-down", [](const Json& fault) { return fault["id"].get<std::string>(); });
    const Mutant one = mutant("gpu-rail", {*down});
    const Diagnosis diagnosis = diagnosis_of(one.broken);
    const std::string port = fabric_of(one.sound).front();
    std::size_t failures = 0;
    std::size_t skips = 0;
    for (const Check& check : diagnosis.examination.checks) {
        if (check.port != port) continue;
        if (check.verdict == Verdict::fail || check.verdict == Verdict::warn) ++failures;
        if (check.reason == "port-down was found") ++skips;
    }
    CHECK(failures == 1);
    CHECK(skips >= 5);
}

TEST_CASE("doctor: what follows from a cause on the same port stands with it, else by itself") {
    const Json& host = applied("gpu-rail");
    const std::vector<std::string> fabric = fabric_of(host);
    const Json firmware = Json::parse(R"({"dcbx": {"mode": "firmware", "capability": 10}})");
    const Json off = Json::parse(R"({"pfc": {"priorities": []}})");
    Json both = firmware;
    both.merge_patch(off);
    const Diagnosis one = diagnosis_of(patched(host, fabric, {{"port", both}}));
    REQUIRE(one.causes.size() == 1);
    CHECK(one.causes.front().row->id == "dcbx-firmware");
    REQUIRE(one.causes.front().follows.size() == 1);
    CHECK(one.causes.front().follows.front()->id == "pfc-off");
    const Json apart = {{"ports", {{fabric[0], firmware}, {fabric[1], off}}}};
    CHECK(diagnosis_of(patched(host, fabric, apart)).causes.size() == 2);
}

TEST_CASE("doctor: of what a port does not tell no command is spelled") {
    const State now = whole(applied("gpu-rail"));
    for (const Field& field : fields()) {
        const ObjectRow& row = row_of(field.object);
        if (field.use != Field::Use::setting || row.spell == nullptr) continue;
        INFO(field.key);
        const Value value = samples(field.shape).front();
        const std::string element =
            is_keyed(field.shape) ? sample_keys(field.shape).front() : std::string();
        State bare = now;
        const std::string name(row.lives == Lives::host ? std::string(kHost)
                                                        : fabric_ports(now, nullptr)[0]->name);
        if (find_port(bare, name) == nullptr) bare.ports.emplace_back(name);
        *find_port(bare, name) = Port(name);
        const Fault fault{
            .mend = {{.port = name, .field = &field, .element = element, .value = value}}};
        if (!field.get(*find_port(bare, name)))
            CHECK(mending_commands(bare, fault) == std::vector<std::string>{});
    }
}

TEST_CASE("doctor: each port is held against what it is meant to be itself") {
    State now = whole(applied("gpu-rail"));
    const std::vector<const Port*> ports = fabric_ports(now, nullptr);
    const auto wish = [&](std::size_t at, std::uint64_t priority) {
        return Wish{.port = ports[at]->name,
                    .field = find_field("pfc.priorities"),
                    .value = Value(Numbers{priority})};
    };
    const Wishes wishes{.ports = {ports[0]->name, ports[1]->name},
                        .wishes = {wish(0, 3), wish(1, 4)}};
    const Diagnosis diagnosis = diagnose({.now = &now, .wishes = &wishes});
    CHECK(diagnosis.examination.aims.at(ports[0]->name).priority == 3);
    CHECK(diagnosis.examination.aims.at(ports[1]->name).priority == 4);
    std::vector<std::string> classes;
    for (const Chain& chain : diagnosis.chains)
        for (const ChainLink& link : chain.links)
            if (link.name == "traffic class") classes.push_back(link.found);
    CHECK(classes == std::vector<std::string>{"3", "4"});
}

TEST_CASE("doctor: a command of rocectl that a check names has the options it is given") {
    const std::regex command("rocectl ([a-z]+)([^;,]*)");
    const std::regex option("--[a-z-]+");
    for (const FindingRow* row : catalogue())
        for (const std::string_view said :
             {row->remedy, row->cause.test, row->cause.ruled_out_by}) {
            const std::string text(said);
            for (std::sregex_iterator at(text.begin(), text.end(), command), end; at != end; ++at) {
                const std::string name = (*at)[1];
                const std::string rest = (*at)[2];
                INFO(row->id, ": ", text);
                const auto known = std::ranges::find(cli::commands(), name, &cli::Command::name);
                if (known == cli::commands().end()) continue;
                for (std::sregex_iterator one(rest.begin(), rest.end(), option); one != end; ++one)
                    CHECK(std::ranges::any_of(known->options, [&](const cli::OptionRow* each) {
                        return each->name == one->str();
                    }));
            }
        }
}

TEST_CASE("doctor: what cannot be read is unknown, and no pass") {
    Asked asked{.now = whole(applied("gpu-rail"))};
    for (Port& port : asked.now.ports)
        if (port.pfc) port.refused[Object::pfc] = {.code = EIO, .text = "Input/output error"};
    const Diagnosis diagnosis = asked.diagnose();
    for (const Check& check : diagnosis.examination.checks) {
        const auto needs = check.row->needs.keys;
        if (std::ranges::find(needs, "pfc.priorities") == needs.end()) continue;
        INFO(check.row->id);
        CHECK(check.verdict == Verdict::unknown);
        CHECK(check.reason.find("Input/output error") != std::string::npos);
    }
    CHECK(status_of(diagnosis.examination, false) == Status::failed);
}

namespace {

/// The finding's texts on the first port, of two readings that differ in its counters.
std::vector<std::string> counted(std::string_view id, const Json& before, const Json& now,
                                 double seconds = 10) {
    const Json& host = applied("gpu-rail");
    const std::vector<std::string> fabric = fabric_of(host);
    const State earlier = whole(patched(host, fabric, {{"port", before}}));
    const State later = whole(patched(host, fabric, {{"port", now}}));
    const Inquiry inquiry{.now = &later,
                          .earlier = &earlier,
                          .seconds = seconds,
                          .twice = true,
                          .only = {std::string(id)}};
    std::vector<std::string> out;
    for (const Check& check : diagnose(inquiry).examination.checks) {
        if (check.port != fabric.front()) continue;
        out.push_back(std::string(word(check.verdict)) + ": " + check.reason);
        for (const Fault& fault : check.faults)
            out.back() += fault.text;
    }
    return out;
}

Json rdma_counters(const Json& counters) {
    return {{"rdma", {{"counters", counters}}}};
}

}  // namespace

TEST_CASE("doctor: a counter of 32 bits begins again at 0, and did not fall") {
    const auto found = counted("retries-exhausted",
                               rdma_counters({{"req_transport_retries_exceeded", 4294967290}}),
                               rdma_counters({{"req_transport_retries_exceeded", 4}}));
    CHECK(found == std::vector<std::string>{"fail: req_transport_retries_exceeded grew by 10 in 10 "
                                            "s: connections were given up"});
}

TEST_CASE("doctor: where one counter fell, all began anew") {
    const auto found = counted(
        "retries-exhausted",
        rdma_counters({{"req_transport_retries_exceeded", 2}, {"np_ecn_marked_roce_packets", 900}}),
        rdma_counters({{"req_transport_retries_exceeded", 3}, {"np_ecn_marked_roce_packets", 0}}));
    CHECK(found == std::vector<std::string>{"fail: req_transport_retries_exceeded grew by 3 since "
                                            "the counters began anew: connections were given up"});
}

TEST_CASE("doctor: few lost packets beside many are a warning") {
    const auto reading = [](std::uint64_t lost, std::uint64_t packets) {
        Json out = rdma_counters({{"out_of_sequence", lost}});
        out["statistics"] = {{"rx_vport_rdma_unicast_packets", packets}};
        return out;
    };
    const std::string few =
        counted("out-of-sequence", reading(0, 0), reading(2, 1'000'000)).front();
    CHECK(few.starts_with("warn: out_of_sequence grew by 2"));
    const std::string many =
        counted("out-of-sequence", reading(0, 0), reading(20, 1'000'000)).front();
    CHECK(many.starts_with("fail: out_of_sequence grew by 20"));
}

TEST_CASE("doctor: what was counted is measured, or it is said why not") {
    CHECK(counted("crc-errors", {{"statistics", Json::object()}}, {{"statistics", {{"x", 1}}}}) ==
          std::vector<std::string>{"skip: the driver has no such counter"});
    CHECK(counted("crc-errors", {{"statistics", Json::object()}},
                  {{"statistics", {{"rx_crc_errors_phy", 1}}}}) ==
          std::vector<std::string>{"skip: the earlier reading does not hold the counter"});
}

TEST_CASE("doctor: the class chain ends with what the priority carried, of two readings") {
    Json fault;
    for (const Json& each : faults())
        if (each["id"] == "traffic-in-other-priority") fault = each;
    const Json& host = applied("gpu-rail");
    const std::vector<std::string> fabric = fabric_of(host);
    const Json sound = patched(host, fabric, fault["given"]);
    Asked ill = asked(fault, patched(sound, fabric, fault["fault"]), sound);
    const Diagnosis diagnosis = ill.diagnose();
    const Chain& chain = diagnosis.chains.front();
    CHECK(chain.name == "class");
    CHECK(chain.ports == std::vector<std::string>{fabric.front()});
    CHECK(chain.links.back().name == "traffic");
    CHECK(chain.links.back().found == "none");
    REQUIRE(first_broken(chain) == &chain.links.back());
    CHECK(chain.links.back().broken->id == "traffic-in-other-priority");
    Asked once{.now = whole(host)};
    const Diagnosis other = once.diagnose();
    CHECK(other.chains.front().links.back().name == "PFC");
}

TEST_CASE("doctor: a driver that asks its device every second is not asked twice in one") {
    const auto rows = counter_rows();
    for (const CounterRow& row : rows)
        if (refresh_ms(row.driver) != 0) {
            State state;
            Port port("port");
            port.device = Device{.driver = std::string(row.driver), .firmware = {}};
            port.statistics.emplace();
            std::string name(row.name);
            if (const auto at = name.find('#'); at != std::string::npos) name.replace(at, 1, "3");
            port.statistics->emplace(name, 1);
            port.rdma_counters = Counters{{name, 1}};
            const Aim aim;
            Evidence evidence{
                .now = &port, .before = &port, .seconds = 0.5, .state = &state, .aim = &aim};
            const std::array<Meter, 1> meters = {row.meter};
            INFO(name);
            const auto why = unmeasured(evidence, meters);
            CHECK(why.has_value() == (row.object == Object::statistics));
            evidence.seconds = 2;
            CHECK_FALSE(unmeasured(evidence, meters).has_value());
        }
}

TEST_CASE("doctor: a counter of each row is found by its name, and once only by each driver") {
    std::set<std::tuple<std::string_view, Object, std::string_view>> seen;
    for (const CounterRow& row : counter_rows()) {
        INFO(row.name);
        CHECK((row.bits == 32 || row.bits == 64));
        CHECK((row.object == Object::pfc) == row.name.empty());
        if (!row.name.empty()) CHECK(seen.emplace(row.driver, row.object, row.name).second);
    }
}

TEST_CASE("doctor: since an earlier snapshot, settings and facts that are one value") {
    State before = whole(applied("gpu-rail"));
    State now = before;
    Port& port = *find_port(now, "enp26s0np0");
    port.link->mtu = 1500;
    port.device->firmware = "99.1";
    port.link->carrier_down_count += 7;
    port.rdma_counters = Counters{{"out_of_sequence", 9}};
    std::erase_if(now.ports, [](const Port& each) { return each.name == "enp60s0np0"; });
    const Comparison found = compared(before, now, 60);
    const auto named = [&](std::string_view name) {
        std::vector<std::string> out;
        for (const Difference& each : found.changed)
            if (each.name == name) out.push_back(each.port + ": " + each.after);
        return out;
    };
    CHECK(found.changed.size() == 3);
    CHECK(named("mtu") == std::vector<std::string>{"enp26s0np0: 1500"});
    CHECK(named("firmware") == std::vector<std::string>{"enp26s0np0: 99.1"});
    CHECK(named("port") == std::vector<std::string>{"enp60s0np0: gone"});
    CHECK(compared(now, now, 60).changed.empty());
}

TEST_CASE("doctor: kernel parameters are asked for by name, and set by a command") {
    State state = whole(applied("gpu-rail"));
    const std::string name = "kernel.numa_balancing";
    const std::string other = "net.core.somaxconn";
    find_port(state, kHost)->sysctl = Sysctl{{name, "1"}, {other, "4096"}};
    Inquiry inquiry{.only = {"numa-balancing"}};
    CHECK(doctor_elements(inquiry) == AskedNames{{Object::sysctl, {name}}});
    StateFile host(state);
    const State now = read_host(host, inquiry);
    inquiry.now = &now;
    const Diagnosis diagnosis = diagnose(inquiry);
    REQUIRE(diagnosis.causes.size() == 1);
    const Fault& fault = diagnosis.causes.front().checks.front()->faults.front();
    CHECK(mending_commands(now, fault) ==
          std::vector<std::string>{"sysctl -w kernel.numa_balancing=0"});
    // Of a host that has none of the name nothing is said.
    find_port(state, kHost)->sysctl = Sysctl{{other, "4096"}};
    StateFile without(state);
    const State lacks = read_host(without, inquiry);
    inquiry.now = &lacks;
    CHECK(diagnose(inquiry).examination.checks.front().verdict == Verdict::skip);
}

TEST_CASE("doctor: counters are read only where two readings are compared") {
    const Inquiry once{};
    CHECK_FALSE(doctor_objects(once).contains(Object::statistics));
    const Inquiry twice{.twice = true};
    CHECK(doctor_objects(twice).contains(Object::statistics));
    CHECK(doctor_objects(twice).contains(Object::rdma_counters));
}

TEST_CASE("doctor: on a host without RDMA nothing was checked, which is not green") {
    Asked asked{.now = whole(Json::parse(source("states/soft-roce.json")))};
    Port& host = asked.now.ports.emplace_back(kHost);
    host.kernel_log.emplace();  // in which nothing is found
    const Diagnosis diagnosis = asked.diagnose();
    CHECK(tally(diagnosis.examination).at(Verdict::pass) > 0);
    CHECK(diagnosis.examination.ports.empty());
    CHECK(status_of(diagnosis.examination, false) == Status::failed);
}

namespace {

/// What was found, by its letters and signs: several things may be named in another order.
using Told = std::map<std::string, std::string>;

Told told_of(const Diagnosis& diagnosis, const State& now,
             const std::function<std::string(const std::string&)>& spelled) {
    Told out;
    for (const Check& check : diagnosis.examination.checks) {
        std::string text = check.reason;
        for (const Fault& fault : check.faults) {
            text += ' ' + fault.text + ' ' + fault.remedy;
            for (const std::string& command : mending_commands(now, fault))
                text += ' ' + command;
        }
        const std::string whole = std::string(check.row->id) + ' ' + spelled(check.port) + ' ' +
                                  std::string(word(check.verdict)) + ' ' + spelled(text);
        std::string sorted = spelled(text);
        std::ranges::sort(sorted);
        out.emplace(std::string(check.row->id) + spelled(check.port) +
                        std::string(word(check.verdict)) + sorted,
                    whole);
    }
    for (const Suspect& cause : diagnosis.causes)
        out.emplace("cause " + std::string(cause.row->id), cause.row->id);
    return out;
}

/// What one tells and the other does not.
std::string only_in(const Told& one, const Told& other) {
    std::string out;
    for (const auto& [key, said] : one)
        if (!other.contains(key)) out += said + '\n';
    return out;
}

}  // namespace

TEST_CASE("law: of a redacted host doctor says what it says of the host, with the other names") {
    constexpr std::uint64_t seed = 99;
    std::size_t looked_at = 0;
    const auto same = [&](const Json& state) {
        const State now = whole(state);
        const Redaction redaction(now, seed);
        StateFile host(redaction.state());
        const State other = hosts::read_all(host);
        const Diagnosis one = diagnose({.now = &now});
        const Diagnosis redacted = diagnose({.now = &other});
        const Told here =
            told_of(one, now, [&](const std::string& text) { return redaction.text(text); });
        const Told there = told_of(redacted, other, [](const std::string& text) { return text; });
        CHECK(only_in(here, there) == "");
        CHECK(only_in(there, here) == "");
        ++looked_at;
    };
    for (const std::string name : {"gpu-rail", "e810", "mixed-nics", "db-cluster", "vlan-pcp"}) {
        CAPTURE(name);
        same(applied(name));
    }
    for (const Json& fault : faults()) {
        if (fault.contains("profile")) continue;
        CAPTURE(fault["id"]);
        const Mutant one = mutant(fault["of"], {fault});
        same(one.sound);
        same(one.broken);
    }
    CHECK(looked_at > 100);
}

}  // namespace doctor_test
