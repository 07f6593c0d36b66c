// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/plan/read_and_plan.hpp"
#include "core/plan/state_file.hpp"
#include "core/profile/missing.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace fabrics_test {

using namespace core;
using namespace broken_hosts;

namespace {

/// A host of tests/doctor/hosts, with its profile and variables.
struct Case {
    std::string folder;
    Profile profile;
    Variables variables;

    explicit Case(const std::string& name)
        : folder("doctor/hosts/" + name + '/'),
          profile(profiles::load(files())),
          variables(load_variables({"vars.json", source(folder + "vars.json")})) {}

    [[nodiscard]] profiles::Files files() const {
        profiles::Files out;
        for (const auto& each :
             std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/tests/" + folder)) {
            const std::string file = each.path().filename().string();
            out[file == "profile.json" ? "main.json" : file] = source(folder + file);
        }
        return out;
    }
    [[nodiscard]] Json state(const std::string& file = "state.json") const {
        return Json::parse(source(folder + file));
    }
    [[nodiscard]] Asked asked_of(const Json& state) const {
        Asked out{.now = whole(state)};
        out.desired_values = resolve(profile, variables, out.now);
        return out;
    }
};

/// Ports by their names, fabric by fabric.
std::vector<std::string> fabrics_of(const Diagnosis& diagnosis) {
    std::vector<std::string> out;
    for (const ExaminedFabric& fabric : diagnosis.examination.fabrics) {
        std::string& line = out.emplace_back(fabric.name + ':');
        for (const std::string& port : fabric.ports)
            line += ' ' + port;
    }
    return out;
}

bool is_cause(const Diagnosis& diagnosis, const std::string& id) {
    const std::vector<std::string> all = causes_of(diagnosis);
    return std::ranges::find(all, id) != all.end();
}

const std::string kRails =
    " enp26s0np0 enp60s0np0 enp77s0np0 enp94s0np0 enp156s0np0 enp188s0np0 enp204s0np0 enp220s0np0";

}  // namespace

TEST_CASE("doctor: rails and a storage pair are two fabrics, and neither is held to the other's") {
    const Case host("two-fabrics");
    for (const bool with_profile : {true, false}) {
        INFO(with_profile);
        Asked asked = host.asked_of(host.state());
        if (!with_profile) asked.desired_values.reset();
        const Diagnosis diagnosis = asked.diagnose();
        INFO(doctest::toString(found(diagnosis)));
        CHECK(status_of(diagnosis.examination, false) == Status::done);
        CHECK_FALSE(is_cause(diagnosis, "speed-of-siblings"));
        CHECK_FALSE(is_cause(diagnosis, "no-route-by-port"));
        CHECK(fabrics_of(diagnosis) ==
              std::vector<std::string>{":" + kRails, ": ens1f0np0 ens1f1np1"});
    }
    // Within a fabric they are compared as ever.
    Json slow = host.state();
    for (Json& port : slow["ports"])
        if (port["name"] == "enp60s0np0") port["speed"] = 100000;
    Asked asked = host.asked_of(slow);
    const Diagnosis diagnosis = asked.diagnose();
    INFO(doctest::toString(found(diagnosis)));
    CHECK(is_cause(diagnosis, "speed-of-siblings"));
}

TEST_CASE("profile: an entry has the roce, the speed and the ports of its fabric") {
    const Case host("two-fabrics");
    const auto with = [&](const std::string& storage) {
        profiles::Files files = host.files();
        files["main.json"] = R"({"format": 1, "extends": ["h100r.json"],
            "fabrics": {"storage": )" +
                             storage + R"(},
            "ports": [{"match": {"name": "ens1f*"}, "fabric": "storage", "mtu": 9000,
                       "roce": {"ecn": true}, "addresses": ["${address}/24"]}]})";
        return files;
    };
    const Profile profile = profiles::load(with(
        R"({"roce": {"bandwidth": 30}, "speed": 100000, "expect": 2, "to": ["172.16.0.0/16"]})"));
    Asked asked{.now = whole(host.state())};
    asked.desired_values = resolve(profile, host.variables, asked.now);
    const auto value = [&](const std::string& port, const std::string& key) {
        for (const Desired& desired : asked.desired_values->desired_values)
            if (desired.port == port && desired.field->key == key && desired.value)
                return text(*desired.value);
        return std::string();
    };
    CHECK(value("ens1f0np0", "speed") == "100000");
    CHECK(value("enp26s0np0", "speed").empty());
    CHECK(value("ens1f0np0", "ets.bandwidth") != value("enp26s0np0", "ets.bandwidth"));
    REQUIRE(asked.desired_values->fabrics.size() == 1);
    CHECK(asked.desired_values->fabrics.front().ports ==
          std::vector<std::string>{"ens1f0np0", "ens1f1np1"});
    const Diagnosis diagnosis = asked.diagnose();
    CHECK(fabrics_of(diagnosis) ==
          std::vector<std::string>{":" + kRails, "storage: ens1f0np0 ens1f1np1"});
    // Held to what it is to reach, as nothing else would tell.
    CHECK(is_cause(diagnosis, "no-route-by-port"));

    const DesiredState three =
        resolve(profiles::load(with(R"({"expect": 3})")), host.variables, asked.now);
    REQUIRE(three.findings.size() >= 1);
    CHECK(std::ranges::any_of(three.findings, [](const Finding& finding) {
        return finding.id == findings::expect &&
               finding.text.ends_with(
                   "fabric storage has 2 ports (ens1f0np0, ens1f1np1), expected 3");
    }));
    CHECK(profiles::problems(with(R"({"sped": 1})")).size() == 1);
    profiles::Files other = with("{}");
    other["main.json"].replace(other["main.json"].find("\"storage\": {"), 9, "\"stores\"");
    CHECK(profiles::problems(other).front().ends_with(
        "found 'storage', expected a fabric of 'fabrics': one of stores"));
}

TEST_CASE("doctor: a rail that is gone is the first cause, and its device stays in the lists") {
    const Case host("rail-gone");
    Json state = host.state();
    state["host"]["kernel_log"] = {
        {{"milliseconds", 5000},
         {"kind", "device-fatal"},
         {"text", "mlx5_core 0000:5e:00.0: poll_health: Fatal error 1 detected"}}};
    Asked asked = host.asked_of(state);
    const Diagnosis diagnosis = asked.diagnose();
    INFO(doctest::toString(found(diagnosis)));
    REQUIRE(!diagnosis.causes.empty());
    CHECK(diagnosis.causes.front().row->id == "port-missing");
    CHECK_FALSE(is_cause(diagnosis, "drift"));
    const std::string text = diagnosis.causes.front().checks.front()->faults.front().text;
    for (const char* said :
         {"7 ports match", "expected 8; not there: enp94s0np0", "0000:5e:00.0", "Fatal error 1"}) {
        INFO(said);
        CHECK(text.find(said) != std::string::npos);
    }
    CHECK(status_of(diagnosis.examination, false) == Status::differs);
    // Without a profile it is a hint.
    Asked bare{.now = whole(host.state())};
    const Diagnosis hint = bare.diagnose();
    REQUIRE(hint.causes.size() == 1);
    CHECK(hint.causes.front().row->id == "port-missing");
    CHECK(hint.causes.front().verdict == Verdict::warn);
}

TEST_CASE("profile: what is there is applied with unmoved indices where a port may be missing") {
    const Case host("rail-gone");
    const auto applied_to = [&](const std::string& missing, const Variables& variables) {
        profiles::Files files = host.files();
        std::string& main = files["main.json"];
        main.replace(main.find("\"expect\": 8"), 11,
                     "\"expect\": 8, \"missing\": \"" + missing + '"');
        StateFile kernel(parse_state(host.state("seven.json").dump(), "seven.json"));
        const State inventory = kernel.state();
        const DesiredState desired = resolve(profiles::load(files), variables, inventory);
        const ReadPlan found = read_and_plan(kernel, desired, inventory, {});
        std::vector<std::string> tables;
        Status status = Status::failed;
        if (feasible(found.plan)) status = apply(kernel, desired, found.plan).status;
        for (const Port& port : kernel.state().ports)
            if (port.routes)
                for (const Route& route : *port.routes)
                    if (route.via && route.to.length != 0)
                        tables.push_back(port.name + ' ' + std::to_string(route.table));
        return std::pair(status, tables);
    };
    CHECK(applied_to("refused", host.variables) ==
          std::pair(Status::failed, std::vector<std::string>{}));
    const auto [status, tables] = applied_to("allowed", host.variables);
    CHECK(status == Status::differs);
    CHECK(tables == std::vector<std::string>{"enp26s0np0 101", "enp60s0np0 102", "enp77s0np0 103",
                                             "enp156s0np0 105", "enp188s0np0 106",
                                             "enp204s0np0 107", "enp220s0np0 108"});
    // Where nothing tells which one is missing, nobody knows where the others stand.
    Variables unnamed = host.variables;
    unnamed.order.pop_back();
    CHECK(applied_to("allowed", unnamed).first == Status::failed);
    Variables mixed = host.variables;
    std::swap(mixed.order.at(0), mixed.order.at(1));
    CHECK(applied_to("allowed", mixed).first == Status::failed);
}

TEST_CASE("profile: a name tells the place on the bus as udev makes it") {
    CHECK(pci_in_name("enp94s0np0") == "0000:5e:00.0");
    CHECK(pci_in_name("enP2p1s0f1np1") == "0002:01:00.1");
    CHECK(pci_in_name("enp3s0f1") == "0000:03:00.1");
    for (const char* other : {"ens1f0np0", "eth0", "enp3", "enp3s0x", "eno1", "bond0"})
        CHECK_FALSE(pci_in_name(other).has_value());
}

TEST_CASE("doctor: a port that is set otherwise than its siblings is told of, by the table") {
    const Json& host = applied("gpu-rail");
    const std::vector<std::string> rails = fabric_of(host);
    const auto reported = [&](const Json& patch) {
        return found(diagnosis_of(patched(host, rails, {{"port", patch}})));
    };
    CHECK(reported(Json::object()).empty());
    const std::vector<std::string> ring = reported({{"ring", {{"rx", 512}}}});
    REQUIRE(ring.size() == 1);
    CHECK(ring.front().starts_with("settings-of-siblings: " + rails.front() +
                                   ": ring.rx is 512, the other ports of its kind have "));
    CHECK(reported({{"ip", {{"accept_local", true}, {"own", {{"accept_local", 1}}}}}}).size() == 1);
    CHECK(reported({{"maxrate", {0, 0, 0, 1000, 0, 0, 0, 0}}}).size() == 1);
    // Ports that are all otherwise are as they are meant to be.
    const Json all = {{"port", {{"ring", {{"rx", 512}}}}}, {"others", {{"ring", {{"rx", 512}}}}}};
    CHECK(found(diagnosis_of(patched(host, rails, all))).empty());
}

TEST_CASE("doctor: what siblings are compared in covers every setting of quality of service") {
    for (const char* key :
         {"dscp.map", "dscp.trust", "ets.bandwidth", "pfc.priorities", "ecn.cnp_dscp", "ecn.notify",
          "rdma.default_tos", "ring.rx", "buffer.size", "pcie.read_request", "ip.arp_ignore"}) {
        INFO(key);
        CHECK(row_of(object_of(key)).alike);
    }
}

TEST_CASE(
    "doctor: addresses of two rails that are exchanged are said to be, with what moves them") {
    const Case host("rails-swapped");
    Asked asked = host.asked_of(host.state());
    const Diagnosis diagnosis = asked.diagnose();
    INFO(doctest::toString(found(diagnosis)));
    REQUIRE(causes_of(diagnosis) == std::vector<std::string>{"addresses-exchanged"});
    const Check& first = *diagnosis.causes.front().checks.front();
    CHECK(first.faults.front().text ==
          "10.1.0.35/31, which is this port's, is on enp77s0np0, and this port has 10.2.0.35 of "
          "enp77s0np0: their addresses are exchanged");
    const std::vector<std::string> lines = fixing_commands(asked.now, first.faults.front());
    REQUIRE(!lines.empty());
    CHECK(std::ranges::any_of(lines, [](const std::string& line) {
        return line.find("address delete 10.2.0.35/31 dev enp60s0np0") != std::string::npos;
    }));
}

}  // namespace fabrics_test
