// SPDX-License-Identifier: Apache-2.0
// What a state does not hold passes for nothing: each check without each part that it reads, and
// with each list that it reads emptied.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/checks/catalogue.hpp"
#include "core/model/object.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace recorded_test {
namespace {

using namespace core;
using namespace broken_hosts;

/// Hosts on which nothing is found, that have every kind of port together.
constexpr std::array kHosts = {"gpu-rail", "e810", "bonded-port", "soft-roce", "nvmeof-storage"};

/// A check that passes where a list that it reads is empty, and why that is sound.
struct MayBeEmpty {
    std::string_view id{};
    std::string_view key{};
    std::string_view why{};
};

constexpr std::string_view kNoAddress = "no-address is found then, and none is there to be wrong";
constexpr std::string_view kNoRoute = "no route is there to be wrong, and none is demanded";

constexpr std::array kMayBeEmpty = {
    MayBeEmpty{"address-in-use", "addresses", kNoAddress},
    MayBeEmpty{"address-on-two-ports", "addresses", kNoAddress},
    MayBeEmpty{"addresses-exchanged", "addresses", kNoAddress},
    MayBeEmpty{"arp-announce", "addresses", kNoAddress},
    MayBeEmpty{"arp-flux", "addresses", kNoAddress},
    MayBeEmpty{"bond-member-address", "addresses", "a member of a bond is to have none"},
    MayBeEmpty{"irq-remote", "irq.interrupts", "no interrupt is far from the device"},
    MayBeEmpty{"network-address", "addresses", kNoAddress},
    MayBeEmpty{"no-gid", "addresses", kNoAddress},
    MayBeEmpty{"no-route-by-port", "routes",
               "what is to be reached is read of the routes of all ports, where no fabric of a "
               "profile says it"},
    MayBeEmpty{"own-gateway", "addresses", kNoAddress},
    MayBeEmpty{"own-gateway", "routes", kNoRoute},
    MayBeEmpty{"route-by-other-port", "routes", kNoRoute},
    MayBeEmpty{"route-family", "routes", kNoRoute},
    MayBeEmpty{"route-mtu", "routes", kNoRoute},
    MayBeEmpty{"rp-filter-strict", "addresses", kNoAddress},
    MayBeEmpty{"rule-local", "rules",
               "a kernel without policy routing has no rules, and looks into the table local"},
};

/// How each check of a port ended, by its row and the port.
using Ended = std::map<std::pair<const FindingRow*, std::string>, Verdict>;

Ended ended(const State& state, const std::set<std::string>& only = {}) {
    Ended out;
    for (const Check& check : diagnose({.now = &state, .only = only}).examination.checks)
        out.emplace(std::pair(check.row, check.port), check.verdict);
    return out;
}

bool reads(const FindingRow& row, const Field& field) {
    return std::ranges::find(row.needs.keys, field.key) != row.needs.keys.end();
}

bool reads(const FindingRow& row, Object object) {
    return std::ranges::any_of(
        row.needs.keys, [&](std::string_view key) { return find_field(key)->object == object; });
}

/// The checks that passed and read this, by id.
template <typename What>
std::set<std::string> that_read(const Ended& sound, const What& what) {
    std::set<std::string> out;
    for (const auto& [check, verdict] : sound)
        if (verdict == Verdict::pass && reads(*check.first, what)) out.emplace(check.first->id);
    return out;
}

}  // namespace

TEST_CASE("law: no check passes without a part of the port that it reads") {
    for (const char* name : kHosts) {
        const State host = whole(applied(name));
        const Ended sound = ended(host);
        for (const ObjectRow* row : objects()) {
            // Which ports there are, is read of these.
            const std::set<std::string> ids = that_read(sound, row->object);
            if (row->read.inventory || ids.empty()) continue;
            State less = host;
            for (Port& port : less.ports)
                copy_part(row->object, Port(port.name), port);
            for (const auto& [check, verdict] : ended(less, ids)) {
                const auto before = sound.find(check);
                if (before == sound.end() || before->second != Verdict::pass ||
                    !reads(*check.first, row->object))
                    continue;
                INFO(std::string(name), ": ", check.first->id, " of ", check.second, " without ",
                     row->name);
                CHECK(verdict != Verdict::pass);
                if (row->read.always) CHECK(verdict == Verdict::unknown);
            }
        }
    }
}

TEST_CASE("law: a check passes with an empty list only where that is sound, and why") {
    std::set<std::pair<std::string_view, std::string_view>> met;
    for (const char* name : kHosts) {
        const State host = whole(applied(name));
        const Ended sound = ended(host);
        for (const Field& field : fields()) {
            const std::set<std::string> ids = that_read(sound, field);
            if (field.shape.kind != Shape::Kind::items || ids.empty()) continue;
            State less = host;
            std::set<std::string> emptied;
            for (Port& port : less.ports)
                if (const auto got = field.get(port); got && !got->empty()) {
                    field.set(port, {});
                    emptied.insert(port.name);
                }
            if (emptied.empty()) continue;
            for (const auto& [check, verdict] : ended(less, ids)) {
                const auto before = sound.find(check);
                if (verdict != Verdict::pass || before == sound.end() ||
                    before->second != Verdict::pass || !reads(*check.first, field))
                    continue;
                met.emplace(check.first->id, field.key);
            }
        }
    }
    for (const MayBeEmpty& each : kMayBeEmpty) {
        INFO(each.id, " ", each.key);
        CHECK(find_finding(each.id) != nullptr);
        CHECK(met.erase({each.id, each.key}) == 1);
    }
    for (const auto& [id, key] : met)
        FAIL_CHECK(id << " passes without any of " << key);
}

TEST_CASE("state: where no GID is told of several RoCE devices, their tables were not recorded") {
    const Json& host = applied("gpu-rail");
    Json none = host;
    for (Json& port : none["ports"])
        if (port.contains("rdma")) port["rdma"]["gids"] = Json::array();
    const auto verdicts = [](const State& state) {
        std::set<Verdict> out;
        for (const auto& [check, verdict] : ended(state, {"no-gid"}))
            out.insert(verdict);
        return out;
    };
    CHECK(verdicts(whole(none)) == std::set{Verdict::unknown});
    CHECK(verdicts(whole(host)) == std::set{Verdict::pass});
    // One of them alone lacks what it should have.
    Json one = host;
    for (Json& port : one["ports"])
        if (port["name"] == fabric_of(host).front()) port["rdma"]["gids"] = Json::array();
    CHECK(verdicts(whole(one)) == std::set{Verdict::pass, Verdict::fail});
}

}  // namespace recorded_test
