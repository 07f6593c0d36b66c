// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/plan/judge.hpp"
#include "core/profile/keys.hpp"
#include "netlink/files/codecs.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/profiles.hpp"

namespace facts_test {

using namespace core;
using Lines = std::vector<std::string>;

// What a profile expects of facts: looked at, and never written.

namespace {

State in_slot(const std::string& speed, unsigned width) {
    State state = hosts::host("mlx5_core");
    state.ports[0].pcie_link = PcieLink{.speed = speed,
                                        .width = width,
                                        .max_speed = "32.0 GT/s PCIe",
                                        .max_width = 16,
                                        .iommu = "identity"};
    return state;
}

std::string profile(const std::string& facts, const std::string& more = "") {
    return R"({"format": 1, "ports": [{"match": {"name": "ens1f0"}, )" + more + R"("facts": {)" +
           facts + "}}]}";
}

DesiredState resolved(const std::string& text, const State& state) {
    return resolve(load_profile({.name = "main.json", .text = text}, nullptr), {}, state);
}

const std::string kSlot = R"("pcie": {"link_speed": "32.0 GT/s PCIe", "link_width": [8, 16]})";

}  // namespace

TEST_CASE("facts: as expected is as desired, whichever of the values it is") {
    for (const unsigned width : {8U, 16U}) {
        StateFile kernel(in_slot("32.0 GT/s PCIe", width));
        const DesiredState desired_values = resolved(profile(kSlot), kernel.state());
        const Plan plan = hosts::plan(kernel, desired_values);
        CHECK(satisfied(plan));
        CHECK(plan.findings.empty());
        CHECK(tally(desired_values, plan.before).held == 2);
    }
}

TEST_CASE("facts: what is otherwise is a note to a plan, counts for verify, and keeps no write") {
    StateFile kernel(in_slot("16.0 GT/s PCIe", 4));
    const DesiredState desired_values =
        resolved(profile(kSlot, R"("mtu": 9000, )"), kernel.state());
    Plan plan = hosts::plan(kernel, desired_values);
    CHECK(feasible(plan));
    REQUIRE(plan.steps.size() == 1);
    REQUIRE(plan.findings.size() == 2);
    for (const Finding& finding : plan.findings)
        CHECK(finding.level == Finding::Level::note);
    CHECK(plan.findings[0].text == "expected 32.0 GT/s PCIe, found 16.0 GT/s PCIe (main.json:1)");
    CHECK(plan.findings[1].text == "expected 8 or 16, found 4 (main.json:1)");
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(hosts::read_all(kernel).ports[0].pcie_link->width == 4);
    plan = hosts::plan(kernel, desired_values);
    CHECK(plan.steps.empty());
    count_facts(plan.findings);
    CHECK_FALSE(satisfied(plan));
    for (const Finding& finding : plan.findings)
        CHECK(finding.level == Finding::Level::failure);
}

TEST_CASE("facts: what cannot be read is not as expected") {
    State state = in_slot("", 0);
    state.ports[0].pcie_link.reset();
    state.ports[0].refused.emplace(Object::pcie_link, Refusal{.code = 5, .text = "I/O error"});
    StateFile kernel(state);
    Plan plan = hosts::plan(kernel, resolved(profile(kSlot), state));
    CHECK(feasible(plan));
    count_facts(plan.findings);
    REQUIRE(plan.findings.size() == 2);
    CHECK(plan.findings[0].level == Finding::Level::unknown);
    CHECK_FALSE(satisfied(plan));
}

TEST_CASE("facts: a fact that holds keeps no step from being taken that changes it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        resolved(profile(R"("carrier": true)", R"("up": false, )"), kernel.state());
    const std::vector<Step> steps = hosts::plan(kernel, desired_values).steps;
    CHECK(std::ranges::any_of(steps, [](const Step& step) { return step.object == Object::link; }));
}

// Law: a profile can expect each fact that the schema names, in the schema's words.
TEST_CASE("facts: law over every fact that a profile may expect") {
    std::size_t count = 0;
    for (const Field& field : fields()) {
        if (!may_expect(field)) continue;
        ++count;
        CAPTURE(field.key);
        State state = hosts::host("mlx5_core");
        const std::vector<Value> values = samples(field.shape);
        const bool named = field.shape.kind == Shape::Kind::named;
        const std::string element = named ? sample_keys(field.shape).front() : "";
        for (const Value& value : values) {
            field.set(state.ports[0], {{element, value}});
            const Json one = to_json(field.shape, values.front());
            const std::string wanted = (named ? Json{{element, one}} : one).dump();
            const DesiredState desired_values =
                resolved(profile('"' + std::string(field.key) + "\": " + wanted, ""),
                         hosts::host("mlx5_core"));
            REQUIRE(desired_values.desired_values.size() == 1);
            CHECK(holds(state.ports[0], desired_values.desired_values[0]) ==
                  (value == values.front()));
        }
    }
    CHECK(count > 20);
}

TEST_CASE("facts: named ones are expected by their names, each a value or one of several") {
    State state = hosts::host("mlx5_core");
    state.ports[0].features->requested = {{"rx-lro", true}};
    StateFile kernel(state);
    const auto plan_of = [&](const std::string& facts) {
        Plan plan = hosts::plan(kernel, resolved(profile(facts), state));
        count_facts(plan.findings);
        return plan;
    };
    CHECK(satisfied(plan_of(R"("features_requested": {"rx-lro": true})")));
    CHECK(satisfied(plan_of(R"("features_requested": {"rx-lro": [false, true]})")));
    const Plan other = plan_of(R"("features_requested": {"rx-lro": false, "rx-fcs": true})");
    REQUIRE(other.findings.size() == 2);
    CHECK(other.findings[0].element == "rx-lro");
    CHECK(other.findings[0].text == "expected off, found on (main.json:1)");
    CHECK(other.findings[1].text == "expected on, found nothing (main.json:1)");
}

TEST_CASE("facts: what nobody can expect is reported") {
    CHECK(profiles::problems(profile(R"("pcie": {"link_with": 16})")) ==
          Lines{"main.json:1:74: /ports/0/facts/pcie/link_with: found unknown key 'link_with', did "
                "you mean 'link_width'?"});
    CHECK(profiles::problems(profile(R"("mtu": 9000)")) ==
          Lines{"main.json:1:65: /ports/0/facts/mtu: found 'mtu', of which nothing can be expected "
                "here"});
    CHECK(profiles::problems(profile(R"("pcie.link_width": [])")).size() == 1);
    CHECK(profiles::problems(profile(R"("pcie.link_width": "${lanes}")")).empty());
}

TEST_CASE("pcie_link: lanes, speed and IOMMU as sysfs has them") {
    const OwnRoot root;
    const std::string device = "/sys/bus/pci/devices/0000:3b:00.0/";
    Port port = hosts::port("mlx5_core");
    port.link->pci = "0000:3b:00.0";
    port.pcie_link.reset();
    netlink::Machine machine(root.path());
    netlink::read_pcie_link(machine, port);
    CHECK_FALSE(port.pcie_link);
    const auto put = [&](const std::string& name, const std::string& text) {
        const auto path = root.file(device + name);
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    };
    put("current_link_speed", "16.0 GT/s PCIe");
    put("current_link_width", "8");
    put("max_link_speed", "32.0 GT/s PCIe");
    put("max_link_width", "16");
    PcieLink wanted{.speed = "16.0 GT/s PCIe",
                    .width = 8,
                    .max_speed = "32.0 GT/s PCIe",
                    .max_width = 16,
                    .iommu = "off"};
    netlink::read_pcie_link(machine, port);
    CHECK(port.pcie_link == wanted);
    put("iommu_group/type", "DMA-FQ");
    wanted.iommu = "DMA-FQ";
    put("numa_node", "-1");  // the firmware names none
    netlink::read_pcie_link(machine, port);
    CHECK(port.pcie_link == wanted);
    put("numa_node", "1");
    wanted.numa_node = 1;
    netlink::read_pcie_link(machine, port);
    CHECK(port.pcie_link == wanted);
}

}  // namespace facts_test
