// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "cli/files/text_file.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/examination.hpp"
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

DesiredState all_desired(const std::string& name, const State& now) {
    return resolve(profiles::load(R"({"format": 1, "extends": [")" + name + R"("]})"),
                   load_variables({name, source("vars/" + name + ".json")}), now);
}

std::set<const Desired*> reported(const std::vector<Check>& checks) {
    std::set<const Desired*> out;
    for (const Check& check : checks)
        for (const Fault& fault : check.faults)
            out.insert(fault.at);
    return out;
}

}  // namespace

TEST_CASE("law: of a host that differs, what a finding fixes is no drift, and the rest is") {
    for (const std::string name : {"gpu-rail", "nvmeof-storage", "e810", "soft-roce"}) {
        const State now = parse_state(source("states/" + name + ".json"), name);
        const DesiredState desired_values = all_desired(name, now);
        const std::set<const Desired*> all = reported(drift(now, desired_values, {}));
        CHECK(all.size() > 2);
        for (const Desired* desired : all) {
            INFO(name, " ", desired->port, " ", element_name(*desired->field, desired->element));
            // A check of one port may fix what is another's, or the host's.
            const Check found{
                .row = &findings::drift, .port = "elsewhere", .faults = {{.fix = {*desired}}}};
            std::set<const Desired*> rest = all;
            rest.erase(desired);
            CHECK(reported(drift(now, desired_values, {found})) == rest);
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
        return Desired{.port = std::string(kHost),
                       .field = &rules,
                       .value = canonical ? rules.shape.canonical(stated) : stated};
    };
    DesiredState desired_values;
    for (const std::string from : {"10.3.0.9", "10.4.0.9"})
        desired_values.desired_values.push_back(with_element(rule(from, true)));
    const Check found{
        .row = &findings::drift, .port = "ens3f0", .faults = {{.fix = {rule("10.3.0.9", false)}}}};
    CHECK(reported(drift(now, desired_values, {})).size() == 2);
    CHECK(reported(drift(now, desired_values, {found})) ==
          std::set<const Desired*>{&desired_values.desired_values[1]});
}

TEST_CASE("drift: a value that could not be read is unknown, and neither drift nor as desired") {
    State now = parse_state(source("states/e810.json"), "e810");
    const DesiredState desired_values = all_desired("e810", now);
    Port& port = *find_port(now, desired_values.ports.front());
    const auto of_port = [&]() -> Check {
        for (Check& check : drift(now, desired_values, {}))
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
    for (const Desired& desired : desired_values.desired_values)
        if (desired.port == port.name)
            port.refused[desired.field->object] = {.code = EPERM,
                                                   .text = "Operation not permitted"};
    const Check unknown = of_port();
    CHECK(unknown.verdict == Verdict::unknown);
    CHECK(unknown.faults.empty());
    CHECK(unknown.reason.find("mtu: link: Operation not permitted (1) while reading") !=
          std::string::npos);
}

TEST_CASE("drift: where the RDMA device is missing, what it would have is reported with that") {
    const State now = parse_state(source("states/e810.json"), "e810");
    const DesiredState desired_values = all_desired("e810", now);
    const Check found{.row = find_finding("rdma-device-missing"), .port = "ens3f0", .faults = {{}}};
    const std::set<const Desired*> left = reported(drift(now, desired_values, {found}));
    for (const Desired* desired : reported(drift(now, desired_values, {}))) {
        const bool of_device = row_of(desired->field->object).lives == Lives::rdma_device;
        CHECK(left.contains(desired) == !(of_device && desired->port == "ens3f0"));
    }
}

}  // namespace drift_test
