// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.hpp"
#include "cli/views/doctor.hpp"
#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace doctor_words_test {

using namespace core;
using namespace broken_hosts;

namespace {

/// The report, of which each line is reported whole.
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
        const std::string profile = ill.desired_values ? row["of"].get<std::string>() : "";
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
        if (field.use != Field::Use::setting || row.words.spell == nullptr) continue;
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
            .fix = {{.port = name, .field = &field, .element = element, .value = value}}};
        if (!field.get(*find_port(bare, name)))
            CHECK(fixing_commands(bare, fault) == std::vector<std::string>{});
    }
}

TEST_CASE("doctor: each port is held against what it is meant to be itself") {
    State now = whole(applied("gpu-rail"));
    const std::vector<const Port*> ports = fabric_ports(now, nullptr);
    const auto desired = [&](std::size_t at, std::uint64_t priority) {
        return Desired{.port = ports[at]->name,
                       .field = find_field("pfc.priorities"),
                       .value = Value(Numbers{priority})};
    };
    const DesiredState desired_values{.ports = {ports[0]->name, ports[1]->name},
                                      .desired_values = {desired(0, 3), desired(1, 4)}};
    const Diagnosis diagnosis = diagnose({.now = &now, .desired_values = &desired_values});
    CHECK(diagnosis.examination.intents.at(ports[0]->name).priority == 3);
    CHECK(diagnosis.examination.intents.at(ports[1]->name).priority == 4);
    std::vector<std::string> classes;
    for (const Chain& chain : diagnosis.chains)
        for (const ChainLink& link : chain.links)
            if (link.name == "traffic class") classes.push_back(link.found);
    // What the packets of the second get, whose map has another priority than it is meant to have.
    CHECK(classes == std::vector<std::string>{"3", "3"});
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
                const cli::Command* const known = cli::find_command(name);
                if (known == nullptr) continue;
                for (std::sregex_iterator one(rest.begin(), rest.end(), option); one != end; ++one)
                    CHECK(std::ranges::any_of(known->options, [&](const cli::OptionRow* each) {
                        return each->name == one->str();
                    }));
            }
        }
}

}  // namespace doctor_words_test
