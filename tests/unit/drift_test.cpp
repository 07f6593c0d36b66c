// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "cli/files/text_file.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/drift.hpp"
#include "core/json/json.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/object.hpp"
#include "core/plan/judge.hpp"
#include "tests/unit/profiles.hpp"

namespace drift_test {

using namespace core;

namespace {

std::string source(const std::string& path) {
    return cli::read_file(ROCECTL_SOURCE_DIR "/tests/" + path);
}

Wishes wished(const std::string& name, const State& now) {
    return resolve(profiles::load(R"({"format": 1, "extends": [")" + name + R"("]})"),
                   load_variables({name, source("vars/" + name + ".json")}), now);
}

std::set<const Wish*> told(const std::vector<Check>& checks) {
    std::set<const Wish*> out;
    for (const Check& check : checks)
        for (const Fault& fault : check.faults)
            out.insert(fault.at);
    return out;
}

}  // namespace

TEST_CASE("law: of a host that differs, what a finding mends is no drift, and the rest is") {
    for (const std::string name : {"gpu-rail", "nvmeof-storage", "e810", "soft-roce"}) {
        const State now = parse_state(source("states/" + name + ".json"), name);
        const Wishes wishes = wished(name, now);
        const std::set<const Wish*> all = told(drift(now, wishes, {}));
        CHECK(all.size() > 2);
        for (const Wish* wish : all) {
            INFO(name, " ", wish->port, " ", element_name(*wish->field, wish->element));
            // A check of one port may mend what is another's, or the host's.
            const Check found{
                .row = &findings::drift, .port = "elsewhere", .faults = {{.mend = {*wish}}}};
            std::set<const Wish*> rest = all;
            rest.erase(wish);
            CHECK(told(drift(now, wishes, {found})) == rest);
        }
    }
}

TEST_CASE("drift: a rule that a finding spells without its priority is the one of the profile") {
    State now = parse_state(source("states/e810.json"), "e810");
    if (find_port(now, kHost) == nullptr) now.ports.emplace_back(std::string(kHost));
    find_port(now, kHost)->rules.emplace();
    const Field& rules = *find_field("rules");
    const auto rule = [&](const std::string& from, bool canonical) {
        const Value stated(Record{{"from", from}, {"table", std::string("101")}});
        return Wish{.port = std::string(kHost),
                    .field = &rules,
                    .value = canonical ? rules.shape.canonical(stated) : stated};
    };
    Wishes wishes;
    for (const std::string from : {"10.3.0.9", "10.4.0.9"})
        wishes.wishes.push_back(with_element(rule(from, true)));
    const Check found{
        .row = &findings::drift, .port = "ens3f0", .faults = {{.mend = {rule("10.3.0.9", false)}}}};
    CHECK(told(drift(now, wishes, {})).size() == 2);
    CHECK(told(drift(now, wishes, {found})) == std::set<const Wish*>{&wishes.wishes[1]});
}

TEST_CASE("drift: a value that could not be read is unknown, and neither drift nor as wished") {
    State now = parse_state(source("states/e810.json"), "e810");
    const Wishes wishes = wished("e810", now);
    Port& port = *find_port(now, wishes.ports.front());
    const auto of_port = [&]() -> Check {
        for (Check& check : drift(now, wishes, {}))
            if (check.port == port.name) return check;
        return {};
    };
    const auto mtu = [](const Check& check) {
        return std::ranges::any_of(
            check.faults, [](const Fault& fault) { return fault.at->field->key == "mtu"; });
    };
    CHECK(mtu(of_port()));
    port.refused[find_field("mtu")->object] = {.code = EPERM, .text = "Operation not permitted"};
    const Check partly = of_port();
    CHECK_FALSE(mtu(partly));
    CHECK(partly.verdict == Verdict::fail);
    CHECK(partly.reason.empty());
    for (const Wish& wish : wishes.wishes)
        if (wish.port == port.name)
            port.refused[wish.field->object] = {.code = EPERM, .text = "Operation not permitted"};
    const Check unknown = of_port();
    CHECK(unknown.verdict == Verdict::unknown);
    CHECK(unknown.faults.empty());
    CHECK(unknown.reason.find("mtu: link: Operation not permitted (1) while reading") !=
          std::string::npos);
}

TEST_CASE("drift: where the RDMA device is missing, what it would have is told with that") {
    const State now = parse_state(source("states/e810.json"), "e810");
    const Wishes wishes = wished("e810", now);
    const Check found{.row = find_finding("rdma-device-missing"), .port = "ens3f0", .faults = {{}}};
    const std::set<const Wish*> left = told(drift(now, wishes, {found}));
    for (const Wish* wish : told(drift(now, wishes, {}))) {
        const bool of_device = row_of(wish->field->object).lives == Lives::rdma_device;
        CHECK(left.contains(wish) == !(of_device && wish->port == "ens3f0"));
    }
}

}  // namespace drift_test
