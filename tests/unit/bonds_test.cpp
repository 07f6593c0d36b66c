// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <linux/rtnetlink.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "core/json/json.hpp"
#include "core/plan/undo.hpp"
#include "netlink/link/codecs.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"
#include "tests/unit/profiles.hpp"
#include "tests/unit/wire.hpp"

// Bonds that a profile makes; what holds of members and bonds that are there is in bond_test.cpp.

namespace bonds_test {

using namespace core;

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kBond =
    R"("bond0": {"mode": "802.3ad", "members": ["ens1f0", "ens1f1"],
        "xmit_hash_policy": "layer3+4", "lacp_rate": "fast", "miimon": 100})";

/// Two ports of one NIC.
State two(const std::string& driver) {
    State state = hosts::host(driver);
    state.ports.push_back(hosts::port(driver, "ens1f1"));
    state.ports[0].link->pci = "0000:3b:00.0";
    state.ports[1].link->pci = "0000:3b:00.1";
    state.ports[1].link->mac = "0c:42:a1:00:00:02";
    state.ports[1].addresses->clear();  // an address and a route are one port's
    state.ports[1].routes->clear();
    for (Port& port : state.ports)
        port.link->carrier = true;
    return state;
}

std::string profile(const std::string& bonds, const std::string& entries) {
    return R"({"format": 1, "name": "p", "host": {"bonds": {)" + bonds + R"(}}, "ports": [)" +
           entries + "]}";
}

DesiredState desired_for(const std::string& bonds, const std::string& entries, const State& state) {
    return resolve(profiles::load(profile(bonds, entries)), {}, state);
}

constexpr const char* kEntries =
    R"({"match": {"name": "bond0"}, "expect": 1, "mtu": 9000, "addresses": ["10.0.0.1/24"]})";

Plan plan_for(StateFile& kernel, const DesiredState& desired_values) {
    return make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
}

std::string failures(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        if (finding.level != Finding::Level::note)
            out += finding.port + ": " + finding.key + ": " + finding.text + "; ";
    return out;
}

/// Applies, verifies, undoes and compares.
/// Of how many steps that took.
std::size_t there_and_back(const State& before, const DesiredState& desired_values) {
    StateFile kernel(before);
    const State whole = hosts::read_all(kernel);
    const Plan plan = plan_for(kernel, desired_values);
    CHECK(failures(plan) == "");
    const Report report = core::apply(kernel, desired_values, plan);
    CHECK(report.status == Status::done);
    CHECK(report.surprises.empty());
    CHECK(satisfied(plan_for(kernel, desired_values)));
    const DesiredState back = undo_profile(plan);
    CHECK(core::apply(kernel, back, plan_for(kernel, back)).status == Status::done);
    CHECK(hosts::difference(whole, hosts::read_all(kernel)) == "");
    CHECK(kernel.state().ports.size() >= whole.ports.size());
    for (const Port& port : whole.ports)
        CHECK(find_port(hosts::read_all(kernel), port.name)->link->master == port.link->master);
    return plan.steps.size();
}

/// With a bond of both ports, as an apply leaves it.
State bonded(const std::string& driver, const std::string& bonds = kBond) {
    StateFile kernel(two(driver));
    const DesiredState desired_values = desired_for(bonds, kEntries, kernel.state());
    REQUIRE(core::apply(kernel, desired_values, plan_for(kernel, desired_values)).status ==
            Status::done);
    return kernel.state();
}

}  // namespace

TEST_CASE("bond, bond_members: one is made with all that is its own, and undo takes it away") {
    StateFile kernel(two("mlx5_core"));
    const DesiredState desired_values = desired_for(kBond, kEntries, kernel.state());
    CHECK(desired_values.ports == Lines{"bond0"});
    const Plan plan = plan_for(kernel, desired_values);
    CHECK(failures(plan) == "");
    CHECK(commands(plan) ==
          Lines{"ip link add bond0 type bond mode 802.3ad miimon 100 xmit_hash_policy layer3+4 "
                "lacp_rate fast",
                "ip link set dev bond0 mtu 9000 up", "ip link set dev ens1f0 down",
                "ip link set dev ens1f0 master bond0", "ip link set dev ens1f1 down",
                "ip link set dev ens1f1 master bond0", "ip address add 10.0.0.1/24 dev bond0"});
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    const State made = hosts::read_all(kernel);
    CHECK(find_port(made, "ens1f1")->link->mtu == 9000);
    CHECK(find_port(made, "ens1f1")->link->up);
    CHECK(find_port(made, "ens1f1")->link->mac == find_port(made, "bond0")->link->mac);
    CHECK(find_port(made, "bond0")->link->carrier);
    for (const char* driver : {"mlx5_core", "bnxt_en", "ice", "hns3", "generic"}) {
        CAPTURE(driver);
        there_and_back(two(driver), desired_for(kBond, kEntries, two(driver)));
    }
}

TEST_CASE("bond: miimon takes the place of what ARP watches, and nobody can put that back") {
    constexpr const char* entry = R"({"match": {"name": "bond0"}, "bond": {"miimon": 100}})";
    for (const std::uint32_t interval : {0U, 200U}) {
        CAPTURE(interval);
        State state = bonded("mlx5_core");
        Bond& bond = *find_port(state, "bond0")->bond;
        bond = {.mode = "active-backup", .xmit_hash_policy = "layer2", .arp_interval = interval};
        StateFile kernel(state);
        const DesiredState desired_values = resolve(
            profiles::load(std::string(R"({"format": 1, "name": "p", "ports": [)") + entry + "]}"),
            {}, state);
        const Plan plan = plan_for(kernel, desired_values);
        REQUIRE(plan.steps.size() == 1);
        CHECK(plan.steps.front().irreversible == (interval != 0));
        CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
        CHECK(find_port(kernel.state(), "bond0")->bond->miimon == 100);
        CHECK(find_port(kernel.state(), "bond0")->bond->arp_interval == 0);
    }
}

TEST_CASE("bond: DCB of the members is written before they join, whatever the bond is called") {
    const std::string a_bond = R"("a": {"mode": "active-backup", "members": ["ens1f0", "ens1f1"]})";
    const State state = two("ice");
    const DesiredState desired_values =
        resolve(profiles::load(
                    R"({"format": 1, "name": "p", "roce": {"priority": 3, "dscp": 26},
                "host": {"bonds": {)" +
                    a_bond + R"(}}, "ports": [{"match": {"driver": "ice"}, "expect": 2}]})"),
                {}, state);
    StateFile kernel(state);
    const Plan plan = plan_for(kernel, desired_values);
    for (const Finding& finding : plan.findings)
        CHECK(finding.text.find("member of a") == std::string::npos);
    REQUIRE_FALSE(plan.steps.empty());
    bool joined = false;
    for (const Step& step : plan.steps) {
        joined = joined || step.object == Object::bond_members;
        if (joined) CHECK(row_of(step.object).topic != Topic::dcb);
    }
    CHECK(joined);
    there_and_back(state, desired_values);
}

TEST_CASE("bond: each write that is refused leads back to a host without it") {
    for (const Object object :
         {Object::bond, Object::link, Object::bond_members, Object::addresses}) {
        INFO(row_of(object).name);
        StateFile kernel(two("mlx5_core"));
        const State before = hosts::read_all(kernel);
        kernel.refuse(object, {.code = 5, .text = "Input/output error"});
        const DesiredState desired_values = desired_for(kBond, kEntries, kernel.state());
        CHECK(core::apply(kernel, desired_values, plan_for(kernel, desired_values)).status ==
              Status::brought_back);
        CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
        CHECK(find_port(hosts::read_all(kernel), "bond0") == nullptr);
        CHECK(find_port(hosts::read_all(kernel), "ens1f0")->link->up);
    }
}

TEST_CASE("law: every change of a bond that is there is made in place, and undone") {
    const State before = bonded("mlx5_core");
    unsigned changes = 0;
    for (const Object object : {Object::bond, Object::bond_members})
        for (const Field& field : row_of(object).fields)
            for (const Value& value : samples(field.shape)) {
                if (field.key == "bond.members") continue;  // below, with ports that there are
                INFO(field.key, " = ", text(value));
                const DesiredState desired_values{
                    .ports = {"bond0"},
                    .desired_values = {hosts::desired(std::string(field.key), value, "", "bond0")}};
                changes += there_and_back(before, desired_values) > 0 ? 1U : 0U;
            }
    CHECK(changes > 5);
    there_and_back(before,
                   {.ports = {"bond0"},
                    .desired_values = {hosts::no_desired("bond.members", "ens1f1", "bond0")}});
    there_and_back(before, desired_for(R"("bond0": null)", "", before));
}

TEST_CASE("bond: a change of mode takes it apart, one of the LACP rate down, others neither") {
    const State before = bonded("mlx5_core");
    const auto lines = [&](const std::string& options) {
        StateFile kernel(before);
        const Plan plan =
            plan_for(kernel, desired_for(R"("bond0": {)" + options + "}", "", kernel.state()));
        CHECK(failures(plan) == "");
        return commands(plan);
    };
    CHECK(lines(R"("mode": "802.3ad", "miimon": 50, "xmit_hash_policy": "layer2+3")") ==
          Lines{"ip link set dev bond0 type bond miimon 50 xmit_hash_policy layer2+3"});
    CHECK(lines(R"("mode": "802.3ad", "lacp_rate": "slow")") ==
          Lines{"ip link set dev bond0 down", "ip link set dev bond0 type bond lacp_rate slow",
                "ip link set dev bond0 up"});
    CHECK(lines(R"("mode": "active-backup")") ==
          Lines{"ip link set dev bond0 down", "ip link set dev ens1f0 nomaster",
                "ip link set dev ens1f1 nomaster",
                "ip link set dev bond0 type bond mode active-backup",
                "ip link set dev ens1f0 master bond0", "ip link set dev ens1f1 master bond0",
                "ip link set dev bond0 up"});
    CHECK(lines(R"("mode": "802.3ad", "members": ["ens1f0", "ens1f1"])").empty());
}

KERNELS_TEST_CASE("bond, vlan: what later runs changed of one that was made goes with it") {
    const State before = two("mlx5_core");
    // A step of their own, before they get the bond's MAC address and after.
    const std::string entry = R"({"match": {"name": "ens1f*"}, "ring": {"rx": RX}},
        {"match": {"name": "bond0"}, "mtu": MTU,
        "vlans": {"100": {"mtu": MTU, "addresses": ["10.100.0.1/24"]}}})";
    const auto with_mtu = [&](const std::string& mtu) {
        return std::regex_replace(std::regex_replace(entry, std::regex("MTU"), mtu),
                                  std::regex("RX"), mtu == "4000" ? "2048" : "4096");
    };
    StateFile kernel(before);
    const State whole = hosts::read_all(kernel);
    std::vector<JournalEntry> entries;
    const auto run = [&](const DesiredState& desired_values) {
        const Plan plan = plan_for(kernel, desired_values);
        REQUIRE_FALSE(plan.steps.empty());
        entries.push_back({.id = entries.size() + 1,
                           .command = "apply",
                           .subjects = subjects_of(plan, undo_profile(plan)),
                           .undo_profile = undo_profile(plan)});
        REQUIRE(core::apply(kernel, desired_values, plan).status == Status::done);
    };
    run(desired_for(kBond, with_mtu("4000"), kernel.state()));
    run(desired_for(R"("bond0": {"mode": "active-backup"})", with_mtu("3000"), kernel.state()));
    Undo undo = undo_of(entries);
    find_again(undo, kernel.read(subjects_scope()));
    CHECK(undo.undo_profile.findings.empty());
    const Plan back = plan_for(kernel, undo.undo_profile);
    CHECK(failures(back) == "");
    CHECK(core::apply(kernel, undo.undo_profile, back).status == Status::done);
    CHECK(hosts::difference(whole, hosts::read_all(kernel)) == "");
    CHECK(find_port(hosts::read_all(kernel), "bond0") == nullptr);
}

TEST_CASE("bond: exact members, a member that is another bond's, and a name that is taken") {
    const State before = bonded("mlx5_core");
    const auto planned = [&](const State& state, const std::string& bonds,
                             const std::string& entries) {
        StateFile kernel(state);
        return plan_for(kernel, desired_for(bonds, entries, kernel.state()));
    };
    const std::string one = R"("bond0": {"mode": "802.3ad", "members": ["ens1f0"]})";
    CHECK(planned(before, one, "").steps.empty());
    CHECK(commands(
              planned(before, one, R"({"match": {"name": "bond0"}, "exact": ["bond.members"]})")) ==
          Lines{"ip link set dev ens1f1 nomaster"});
    CHECK(failures(planned(before, R"("b1": {"mode": "802.3ad", "members": ["ens1f0"]})", ""))
              .find("ens1f0 is a member of bond0") != std::string::npos);
    CHECK(failures(planned(two("ice"), R"("ens1f0": {"mode": "802.3ad"})", ""))
              .find("the port is there, and is no bond") != std::string::npos);
    CHECK(failures(planned(two("ice"), R"("b1": {"mode": "802.3ad", "members": ["eth9"]})", ""))
              .find("No such device: eth9") != std::string::npos);
    // What goes from one to another goes in one plan.
    const Plan moved = planned(before,
                               R"("b1": {"mode": "802.3ad", "members": ["ens1f1"]},
           "bond0": {"mode": "802.3ad", "members": [{"name": "ens1f1", "absent": true}]})",
                               "");
    CHECK(failures(moved) == "");
}

TEST_CASE("bond: one that gives its last member away is waited for when it has another") {
    const std::string made = R"("b0": {"mode": "balance-xor", "members": ["ens1f0"]})";
    StateFile kernel(two("mlx5_core"));
    const DesiredState first = desired_for(made, "", kernel.state());
    REQUIRE(core::apply(kernel, first, plan_for(kernel, first)).status == Status::done);
    there_and_back(kernel.state(), desired_for(R"("b0": {"mode": "balance-xor",
                                  "members": ["ens1f1", {"name": "ens1f0", "absent": true}]},
                                 "b1": {"mode": "balance-xor", "members": ["ens1f0"]})",
                                               "", kernel.state()));
}

KERNELS_TEST_CASE(
    "bond: VLANs of one that is made are made on it, and it does not go from under them") {
    const State before = two("mlx5_core");
    const std::string entry = R"({"match": {"name": "bond0"}, "mtu": 9000,
        "vlans": {"100": {"addresses": ["10.100.0.1/24"]}}})";
    there_and_back(before, desired_for(kBond, entry, before));
    StateFile kernel(before);
    const DesiredState desired_values = desired_for(kBond, entry, kernel.state());
    REQUIRE(core::apply(kernel, desired_values, plan_for(kernel, desired_values)).status ==
            Status::done);
    CHECK(find_port(kernel.state(), "bond0.100")->link->carrier);
    DesiredState gone = desired_for(R"("bond0": null)", "", kernel.state());
    gone.ports.push_back("bond0.100");  // read, and not stated to be absent
    CHECK(failures(plan_for(kernel, gone)).find("the VLAN bond0.100 is on it") !=
          std::string::npos);
}

namespace {

/// A kernel whose device comes `late` after the members, if it does; the names are udev's.
struct Slow final : hosts::PassThrough {
    explicit Slow(const State& now, std::optional<std::chrono::milliseconds> late)
        : PassThrough(now, {.after_read =
                                [this, late](State& state) {
                                    if (!late || own().time() < *late) without_device(state);
                                },
                            .longest_wait = std::chrono::milliseconds(500)}) {}
    static void without_device(State& state) {
        Port* bond = find_port(state, "bond0");
        if (bond == nullptr || !bond->rdma_link) return;
        bond->rdma_link = RdmaLink{};
        bond->cm_directory.reset();
        bond->cm_defaults.reset();
        bond->unknown.erase(Object::cm_defaults);
    }
};

/// The same with an RDMA device on each of the two.
State two_with_rdma(const std::string& driver) {
    State state = two(driver);
    for (std::size_t i = 0; i < 2; ++i) {
        state.ports[i].rdma_link = RdmaLink{.device = "rdma" + std::to_string(i)};
        state.ports[i].cm_directory = true;
        state.ports[i].cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 0};
    }
    return state;
}

constexpr const char* kRdmaOfBond =
    R"({"match": {"name": "bond0"}, "expect": 1, "mtu": 9000, "rdma": {"default_tos": 106}})";

bool has_stage(const Plan& plan) {
    return std::ranges::any_of(plan.findings,
                               [](const Finding& finding) { return finding.id == "stage"; });
}

}  // namespace

TEST_CASE("bond: the RDMA device that mlx5 gives one is waited for, and set in the same apply") {
    using namespace std::chrono_literals;
    const State before = two_with_rdma("mlx5_core");
    const DesiredState desired_values = desired_for(kBond, kRdmaOfBond, before);
    for (const auto late : {0ms, 3000ms}) {
        Slow kernel(before, late);
        const State whole = hosts::read_all(kernel);
        const Plan plan = make_plan(desired_values, kernel.read(scope_of(desired_values, before)));
        CHECK(failures(plan) == "");
        CHECK(feasible(plan));
        CHECK(has_stage(plan));
        const Report report = core::apply(kernel, desired_values, plan);
        CHECK(report.status == Status::done);
        CHECK(find_port(kernel.own().state(), "bond0")->cm_defaults->tos == 106);
        CHECK(kernel.time() >= late);
        CHECK(satisfied(make_plan(desired_values,
                                  kernel.read(scope_of(desired_values, kernel.own().state())))));
        const DesiredState back = undo_profile(report.plan);
        CHECK(core::apply(kernel, back, plan_for(kernel.own(), back)).status == Status::done);
        CHECK(hosts::difference(whole, hosts::read_all(kernel)) == "");
    }
}

TEST_CASE("bond: one that gets no RDMA device after all is taken back") {
    const State before = two_with_rdma("mlx5_core");
    const DesiredState desired_values = desired_for(kBond, kRdmaOfBond, before);
    Slow kernel(before, std::nullopt);
    const State whole = hosts::read_all(kernel);
    const Plan plan = make_plan(desired_values, kernel.read(scope_of(desired_values, before)));
    REQUIRE(feasible(plan));
    const Report report = core::apply(kernel, desired_values, plan);
    CHECK(report.status == Status::brought_back);
    CHECK(failures(report.remaining).find("no RDMA device") != std::string::npos);
    CHECK(hosts::difference(whole, hosts::read_all(kernel)) == "");
}

TEST_CASE("bond: no RDMA device is awaited where no driver gives one") {
    const auto is_feasible = [](const State& state, const std::string& bond) {
        const DesiredState desired_values = desired_for(bond, kRdmaOfBond, state);
        StateFile kernel(state);
        const Plan plan = plan_for(kernel, desired_values);
        CHECK(feasible(plan) == has_stage(plan));
        return feasible(plan);
    };
    CHECK(is_feasible(two_with_rdma("mlx5_core"), kBond));
    CHECK_FALSE(is_feasible(two_with_rdma("bnxt_en"), kBond));
    CHECK_FALSE(is_feasible(two("mlx5_core"), kBond));
    CHECK_FALSE(is_feasible(two_with_rdma("mlx5_core"),
                            R"("bond0": {"mode": "balance-rr", "members": ["ens1f0", "ens1f1"]})"));
    CHECK_FALSE(is_feasible(two_with_rdma("mlx5_core"),
                            R"("bond0": {"mode": "active-backup", "members": ["ens1f0"]})"));
    State apart = two_with_rdma("mlx5_core");
    apart.ports[1].link->pci = "0000:5e:00.0";
    CHECK_FALSE(is_feasible(apart, kBond));

    // What nobody states is not waited for.
    StateFile kernel(two_with_rdma("mlx5_core"));
    CHECK_FALSE(has_stage(plan_for(kernel, desired_for(kBond, kEntries, kernel.state()))));
}

TEST_CASE("bond: what host.bonds says is checked offline") {
    const auto wrong = [](const std::string& bonds) {
        Lines out;
        for (const std::string& line : profiles::problems(profile(bonds, "")))
            out.push_back(line.substr(line.find("/host")));
        return out;
    };
    CHECK(wrong(kBond).empty());
    CHECK(wrong(R"("b0": {"members": ["a"]})") ==
          Lines{"/host/bonds/b0: found no 'mode', expected one, such as 802.3ad"});
    CHECK(wrong(R"("b0": {"mode": "lacp"})")
              .at(0)
              .starts_with("/host/bonds/b0/mode: found 'lacp', expected one of balance-rr"));
    CHECK(wrong(R"("b0": {"mode": "active-backup", "lacp_rate": "fast"})") ==
          Lines{"/host/bonds/b0/lacp_rate: found lacp_rate with mode active-backup, expected mode "
                "802.3ad"});
    CHECK(wrong(R"("b0": {"mode": "802.3ad", "members": ["a"]},
                   "b1": {"mode": "802.3ad", "members": ["c", "a"]})") ==
          Lines{"/host/bonds/b1/members/1: found a as a member of b1, and of b0 in main.json:1; "
                "expected one bond"});
    CHECK(wrong(R"("b0": {"mode": "802.3ad", "mtu": 9000})")
              .at(0)
              .starts_with("/host/bonds/b0/mtu: found unknown key 'mtu', expected one of"));
    CHECK(wrong(R"("a-name-that-is-too-long": {"mode": "802.3ad"})")
              .at(0)
              .ends_with("expected a device name of at most 15 letters"));
    CHECK(wrong(R"("b0": 7)") ==
          Lines{"/host/bonds/b0: found 7, expected an object of settings, or null"});
}

TEST_CASE("bond: a port that two bonds are to have is named with both, from whichever entry") {
    State state = bonded("mlx5_core");
    const DesiredState desired_values =
        desired_for(R"("b1": {"mode": "802.3ad", "members": ["ens1f0"]})",
                    R"({"match": {"name": "bond0"}, "bond": {"members": ["ens1f0"]}})", state);
    REQUIRE(desired_values.findings.size() == 1);
    CHECK(desired_values.findings[0].id == "member-twice");
    CHECK(desired_values.findings[0].text ==
          "main.json:1 states ens1f0 in this bond, main.json:1 in b1");
}

TEST_CASE("bond: a state file keeps what a kernel told of one") {
    const State before = bonded("mlx5_core");
    const State read = parse_state(to_json(before).dump(), "s");
    CHECK(hosts::difference(before, read) == "");
    CHECK(find_port(read, "bond0")->bond == find_port(before, "bond0")->bond);
    CHECK(find_port(read, "bond0")->bond_members == BondMembers{"ens1f0", "ens1f1"});
    CHECK_FALSE(find_port(read, "ens1f0")->bond.has_value());
}

KERNELS_TEST_CASE("bond, bond_members: what the kernel tells of one, and of what is in it") {
    const auto named = [](const std::string& capture, const std::string& name) {
        // ip of iproute2 7.3 asks by the name first, for no more than the number.
        const auto answers = wire::decoded(capture, RTM_NEWLINK, netlink::decode_link);
        for (auto answer = answers.rbegin(); answer != answers.rend(); ++answer)
            if (answer->name == name) return *answer;
        FAIL("no ", name);
        return netlink::LinkAnswer{};
    };
    const netlink::LinkAnswer bond = named("6.12/link-bond", "bond7");
    CHECK(bond.link.kind == "bond");
    CHECK(bond.bond == Bond{.mode = "802.3ad",
                            .xmit_hash_policy = "layer3+4",
                            .lacp_rate = "fast",
                            .miimon = 100});
    const netlink::LinkAnswer member = named("6.12/link-bond-member", "veth0");
    CHECK(member.link.master_kind == "bond");
    CHECK(member.master == bond.link.index);
    CHECK(member.link.mac == bond.link.mac);
    CHECK(member.link.up);
    CHECK_FALSE(member.bond.has_value());
}

}  // namespace bonds_test
