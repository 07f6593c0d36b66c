// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>

#include "core/json/json.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/state_file.hpp"
#include "tests/netns/sandbox.hpp"

// Bonds: the kernel's answers beside those of a state file.

namespace bond_test {

using namespace core;

namespace {

const Objects kObjects = {Object::device,    Object::link,         Object::vlan,
                          Object::bond,      Object::bond_members, Object::ipv4,
                          Object::addresses, Object::neighbours,   Object::routes};

/// Three ports with a peer each, and a bond of one of them where this kernel has bonds.
struct Rig {
    Rig() {
        there = std::system(
                    "ip link add made type bond mode active-backup miimon 100 2>/dev/null") == 0;
        if (!there) return;
        sandbox::run(
            "for i in 0 1 2; do ip link add t$i type veth peer name p$i; ip link set p$i up; done; "
            "ip link set t2 master made; ip link set made up; ip link set t0 up; ip link set t1 "
            "up; "
            "ip address add 10.0.0.1/24 dev t0; ip address add 10.0.2.1/24 dev made");
    }
    ~Rig() {
        static_cast<void>(!std::system(
            "for p in made bond7 t0 t1 t2; do ip link delete dev $p 2>/dev/null; done"));
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;
    bool there = false;
};

Desired desired(const std::string& port, const char* key, const Value& value) {
    Desired out{.port = port, .field = find_field(key), .value = value};
    if (is_collection(out.field->shape)) out.element = identity(out.field->shape, value);
    out.origin = {.file = "bond.json", .line = 1};
    return out;
}

Desired gone(const std::string& port, const char* key, const std::string& element = {}) {
    Desired out{.port = port, .field = find_field(key), .element = element};
    out.origin = {.file = "bond.json", .line = 1};
    return out;
}

Scope everything() {
    return {.ports = std::nullopt, .objects = kObjects};
}

std::string difference(const State& left, const State& right) {
    std::string out;
    for (const Finding& finding : compare(left, right))
        out += finding.port + ": " + finding.key + ": " + finding.text + "; ";
    return out;
}

/// The plan is applied by both alike, and undone.
void there_and_back(const std::vector<Desired>& wanted) {
    std::string all_desired;
    for (const Desired& one : wanted)
        all_desired += one.port + ' ' + std::string(one.field->key) + ' ' + one.element + ' ' +
                       (one.value ? text(*one.value) : "absent") + "; ";
    const Rig rig;
    netlink::Live live = sandbox::live();
    const State before = live.read(everything());
    DesiredState desired_values{.desired_values = wanted};
    for (const Desired& one : wanted)
        if (std::ranges::find(desired_values.ports, one.port) == desired_values.ports.end())
            desired_values.ports.push_back(one.port);
    const Plan plan = make_plan(desired_values, live.read(scope_of(desired_values, before)));
    INFO(all_desired, "\n", to_json(plan).dump());
    REQUIRE(feasible(plan));
    StateFile file(before);
    const Report there = core::apply(live, desired_values, plan);
    INFO(to_json(there).dump());
    CHECK(there.status == Status::done);
    CHECK(core::apply(file, desired_values, plan).status == Status::done);
    CHECK(difference(live.read(everything()), file.read(everything())) == "");
    CHECK(nothing_left(make_plan(desired_values, live.read(scope_of(desired_values, before)))));
    const DesiredState back = undo_profile(plan);
    const Plan undo = make_plan(back, live.read(scope_of(back, before)));
    const Report undone = core::apply(live, back, undo);
    INFO(to_json(undo).dump(), to_json(undone).dump());
    CHECK(undone.status == Status::done);
    CHECK(difference(before, live.read(everything())) == "");
    CHECK(live.read(everything()).ports.size() == before.ports.size());
}

const std::vector<Desired> kNew = {desired("bond7", "bond.mode", "802.3ad"),
                                   desired("bond7", "bond.xmit_hash_policy", "layer3+4"),
                                   desired("bond7", "bond.lacp_rate", "fast"),
                                   desired("bond7", "bond.miimon", std::uint64_t{50}),
                                   desired("bond7", "bond.members", "t0"),
                                   desired("bond7", "bond.members", "t1"),
                                   desired("bond7", "up", true),
                                   desired("bond7", "mtu", std::uint64_t{4200}),
                                   desired("bond7", "addresses", "10.7.0.1/24")};

}  // namespace

TEST_CASE("bond: the kernel makes, changes, dissolves and brings back what a state file does") {
    {
        const Rig rig;
        if (!rig.there) {
            std::cout << "skip: this kernel has no bonds\n";
            return;
        }
    }
    there_and_back(kNew);
    for (const std::string_view mode : bond::kModes)
        there_and_back({desired("made", "bond.mode", std::string(mode))});
    there_and_back({desired("made", "bond.xmit_hash_policy", "layer3+4")});
    there_and_back({desired("made", "bond.miimon", std::uint64_t{0})});
    there_and_back(
        {desired("made", "bond.mode", "802.3ad"), desired("made", "bond.lacp_rate", "fast")});
    there_and_back({desired("made", "bond.members", "t0")});
    there_and_back(
        {desired("made", "bond.members", "t0"), desired("made", "mtu", std::uint64_t{3000})});
    // A bond that is left without members has no carrier, which apply does not leave behind.
    there_and_back({gone("made", "bond.members", "t2"), desired("made", "bond.members", "t0")});
    there_and_back({gone("made", "bond.mode")});
    there_and_back({gone("made", "bond.members", "t2"), desired("made", "bond.members", "t0"),
                    desired("bond7", "bond.mode", "balance-xor"),
                    desired("bond7", "bond.members", "t2")});
}

TEST_CASE("bond: what is made is what ip shows") {
    const Rig rig;
    if (!rig.there) return;
    netlink::Live live = sandbox::live();
    const DesiredState desired_values{.ports = {"bond7"}, .desired_values = kNew};
    const Plan plan =
        make_plan(desired_values, live.read(scope_of(desired_values, live.read(everything()))));
    REQUIRE(core::apply(live, desired_values, plan).status == Status::done);
    const nlohmann::json shown = sandbox::ip("-d link show dev bond7").at(0);
    const nlohmann::json& data = shown.at("linkinfo").at("info_data");
    CHECK(data.at("mode") == "802.3ad");
    CHECK(data.at("xmit_hash_policy") == "layer3+4");
    CHECK(data.at("ad_lacp_rate") == "fast");
    CHECK(data.at("miimon") == 50);
    CHECK(shown.at("mtu") == 4200);
    for (const char* member : {"t0", "t1"}) {
        const nlohmann::json one = sandbox::ip("link show dev " + std::string(member)).at(0);
        CHECK(one.at("master") == "bond7");
        CHECK(one.at("mtu") == 4200);
    }
    const Port read = sandbox::read("bond7", {Object::bond, Object::bond_members});
    CHECK(read.bond_members == BondMembers{"t0", "t1"});
}

}  // namespace bond_test
