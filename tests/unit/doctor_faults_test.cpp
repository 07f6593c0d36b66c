// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "core/checks/catalogue.hpp"
#include "core/doctor/reading.hpp"
#include "core/json/json.hpp"
#include "core/plan/state_file.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/effort.hpp"

namespace doctor_faults_test {

using namespace core;
using namespace broken_hosts;

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

TEST_CASE("doctor: what breaks a link of a chain is a finding that doctor looks for") {
    const std::vector<const FindingRow*> rows = doctor_rows();
    CHECK(core::chain_breaks().size() > 30);
    for (const std::string_view id : core::chain_breaks()) {
        INFO(id);
        CHECK(std::ranges::find(rows, id, &FindingRow::id) != rows.end());
    }
}

TEST_CASE(
    "doctor: that ib_uverbs comes with the first program is a warning, that it cannot a failure") {
    const Json& host = applied("gpu-rail");
    const auto verdict = [&](const char* state) {
        const Json modules = {{"ib_core", "loaded"},
                              {"ib_uverbs", state},
                              {"rdma_cm", "loaded"},
                              {"rdma_ucm", "loaded"},
                              {"mlx5_ib", "loaded"}};
        const Json patch = {{"host", {{"rdma", {{"modules", modules}}}}}};
        const Json broken = patched(host, fabric_of(host), patch);
        Asked ill = asked({{"of", "gpu-rail"}}, broken, broken);
        const Diagnosis diagnosis = ill.diagnose();
        const auto found = std::ranges::find_if(
            diagnosis.examination.checks,
            [](const Check& check) { return check.row->id == "uverbs-missing"; });
        REQUIRE(found != diagnosis.examination.checks.end());
        return found->verdict;
    };
    CHECK(verdict("loaded") == Verdict::pass);
    CHECK(verdict("built in") == Verdict::pass);
    CHECK(verdict("on disk") == Verdict::warn);
    CHECK(verdict("blacklisted") == Verdict::fail);
    CHECK(verdict("not on disk") == Verdict::fail);
}

TEST_CASE("doctor: each check that is doctor's own has its fault") {
    std::set<std::string> ids;
    for (const Json& fault : faults())
        CHECK(ids.insert(fault["id"].get<std::string>()).second);
    for (const FindingRow* row : doctor_rows()) {
        INFO(row->id);
        if (row->examines != CheckTarget::settings) CHECK(ids.contains(std::string(row->id)));
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
            CHECK((row->examines != CheckTarget::port ||
                   find_finding(id)->examines != CheckTarget::host));
        }
        const auto own = std::ranges::find(all, row);
        for (const std::string_view id : row->needs.sound) {
            INFO(id);
            CHECK(std::ranges::find(all, find_finding(id)) < own);
        }
        for (const std::string_view key : row->needs.beside)
            CHECK(find_field(key) != nullptr);
        if (row->examines != CheckTarget::settings) CHECK(row->needs.desired.empty());
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
bool is_reported(const Diagnosis& diagnosis, const std::string& id) {
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
    std::size_t examined = 0;
    for (const Json& fault : faults()) {
        const FindingRow& row = *find_finding(fault["id"].get<std::string>());
        const bool by_port = fault["fault"].contains("port") && !fault.contains("profile");
        if (!by_port || of_more.contains(std::string(row.id)) || !lives_in(row, Lives::hardware) ||
            lives_in(row, Lives::rdma_device))
            continue;
        INFO(row.id);
        CHECK(found_on_member.contains(std::string(row.id)));
        ++examined;
    }
    CHECK(examined > 25);
}

TEST_CASE("doctor: a check that is asked for alone reads all that it looks at") {
    const auto reported = [](const Diagnosis& diagnosis, const std::string& id) {
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
        const std::vector<std::string> expected = reported(all.diagnose(), id);
        Inquiry alone{.twice = fault.contains("earlier"), .only = {id}};
        if (all.desired_values) alone.desired_values = &*all.desired_values;
        StateFile now_host(parse_state(one.broken.dump(), "state"));
        StateFile before_host(parse_state(one.sound.dump(), "state"));
        Asked few{.now = read_host(now_host, alone),
                  .desired_values = all.desired_values,
                  .inquiry = alone};
        if (alone.twice) few.earlier = read_host(before_host, alone);
        CHECK(reported(few.diagnose(), id) == expected);
        CHECK_FALSE(expected.empty());
    }
}

namespace {

/// Whether each of these faults is found where it is the only one on this ground.
bool each_shows(const std::string& of, const std::vector<Json>& faults, const Json& ground) {
    const Json how = {{"of", of}, {"earlier", Json::object()}};
    return std::ranges::all_of(faults, [&](const Json& fault) {
        Asked one = asked(how, patched(ground, fabric_of(ground), fault["fault"]), ground);
        return is_reported(one.diagnose(), fault["id"].get<std::string>());
    });
}

}  // namespace

TEST_CASE("doctor: of several faults at once the roots are the causes, and nothing else is") {
    const unsigned rounds = effort::tries(80, 20);
    std::mt19937 random(20261122);
    std::size_t all = 0;
    std::size_t right = 0;
    std::size_t related = 0;
    for (const char* of : {"gpu-rail", "e810", "mixed-nics", "nvmeof-storage", "soft-roce"}) {
        const std::vector<Json> known = faults_of(of);
        INFO(std::string(of));
        CHECK(known.size() >= 20);
        for (unsigned round = 0; round < rounds; ++round) {
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
                ids, [&](const std::string& id) { return is_reported(diagnosis, id); });
            const bool is_right = std::set(causes.begin(), causes.end()) == expected && none_lost;
            // What one needs beside may also keep the other from being one.
            if (!is_right && !each_shows(of, some, one.sound)) continue;
            ++all;
            if (expected.size() < ids.size()) ++related;
            if (is_right)
                ++right;
            else
                MESSAGE("other causes");
        }
    }
    MESSAGE(right, " of ", all, " times the roots were the causes, ", related,
            " times one was another's");
    CHECK(all > 15 * rounds / 4);
    CHECK(related > rounds / 2);
    CHECK(right == all);
}

TEST_CASE("doctor: two or three faults at once are reported in the order of together.json") {
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
            CHECK(is_reported(diagnosis, id.get<std::string>()));
    }
}

}  // namespace doctor_faults_test
