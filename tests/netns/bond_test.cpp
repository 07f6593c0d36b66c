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

Wish wish(const std::string& port, const char* key, const Value& value) {
    Wish out{.port = port, .field = find_field(key), .value = value};
    if (is_collection(out.field->shape)) out.element = identity(out.field->shape, value);
    out.origin = {.file = "bond.json", .line = 1};
    return out;
}

Wish gone(const std::string& port, const char* key, const std::string& element = {}) {
    Wish out{.port = port, .field = find_field(key), .element = element};
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
void there_and_back(const std::vector<Wish>& wanted) {
    std::string wished;
    for (const Wish& one : wanted)
        wished += one.port + ' ' + std::string(one.field->key) + ' ' + one.element + ' ' +
                  (one.value ? text(*one.value) : "absent") + "; ";
    const Rig rig;
    netlink::Live live = sandbox::live();
    const State before = live.read(everything());
    Wishes wishes{.wishes = wanted};
    for (const Wish& one : wanted)
        if (std::ranges::find(wishes.ports, one.port) == wishes.ports.end())
            wishes.ports.push_back(one.port);
    const Plan plan = make_plan(wishes, live.read(scope_of(wishes, before)));
    INFO(wished, "\n", to_json(plan).dump());
    REQUIRE(feasible(plan));
    StateFile file(before);
    const Report there = core::apply(live, wishes, plan);
    INFO(to_json(there).dump());
    CHECK(there.status == Status::done);
    CHECK(core::apply(file, wishes, plan).status == Status::done);
    CHECK(difference(live.read(everything()), file.read(everything())) == "");
    CHECK(nothing_left(make_plan(wishes, live.read(scope_of(wishes, before)))));
    const Wishes back = past(plan);
    const Plan undo = make_plan(back, live.read(scope_of(back, before)));
    const Report undone = core::apply(live, back, undo);
    INFO(to_json(undo).dump(), to_json(undone).dump());
    CHECK(undone.status == Status::done);
    CHECK(difference(before, live.read(everything())) == "");
    CHECK(live.read(everything()).ports.size() == before.ports.size());
}

const std::vector<Wish> kNew = {wish("bond7", "bond.mode", "802.3ad"),
                                wish("bond7", "bond.xmit_hash_policy", "layer3+4"),
                                wish("bond7", "bond.lacp_rate", "fast"),
                                wish("bond7", "bond.miimon", std::uint64_t{50}),
                                wish("bond7", "bond.members", "t0"),
                                wish("bond7", "bond.members", "t1"),
                                wish("bond7", "up", true),
                                wish("bond7", "mtu", std::uint64_t{4200}),
                                wish("bond7", "addresses", "10.7.0.1/24")};

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
        there_and_back({wish("made", "bond.mode", std::string(mode))});
    there_and_back({wish("made", "bond.xmit_hash_policy", "layer3+4")});
    there_and_back({wish("made", "bond.miimon", std::uint64_t{0})});
    there_and_back({wish("made", "bond.mode", "802.3ad"), wish("made", "bond.lacp_rate", "fast")});
    there_and_back({wish("made", "bond.members", "t0")});
    there_and_back({wish("made", "bond.members", "t0"), wish("made", "mtu", std::uint64_t{3000})});
    // A bond that is left without members has no carrier, which apply does not leave behind.
    there_and_back({gone("made", "bond.members", "t2"), wish("made", "bond.members", "t0")});
    there_and_back({gone("made", "bond.mode")});
    there_and_back({gone("made", "bond.members", "t2"), wish("made", "bond.members", "t0"),
                    wish("bond7", "bond.mode", "balance-xor"),
                    wish("bond7", "bond.members", "t2")});
}

TEST_CASE("bond: what is made is what ip shows") {
    const Rig rig;
    if (!rig.there) return;
    netlink::Live live = sandbox::live();
    const Wishes wishes{.ports = {"bond7"}, .wishes = kNew};
    const Plan plan = make_plan(wishes, live.read(scope_of(wishes, live.read(everything()))));
    REQUIRE(core::apply(live, wishes, plan).status == Status::done);
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
