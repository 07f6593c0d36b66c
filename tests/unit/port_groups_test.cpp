// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "cli/views/port_groups.hpp"
#include "cli/views/text.hpp"
#include "core/model/finding_names.hpp"
#include "tests/unit/hosts.hpp"

namespace port_groups_test {

using namespace core;

namespace {

/// Some ports of one driver, alike but for their names and addresses.
State rails(const std::string& driver, int number) {
    State state = hosts::host(driver);
    std::erase_if(state.ports, [](const Port& port) { return port.name != "ens1f0"; });
    const Port first = state.ports.front();
    state.ports.clear();
    for (int i = 0; i < number; ++i) {
        Port port = first;
        port.name = "rail" + std::to_string(i);
        if (port.link) port.link->pci = "0000:1" + std::to_string(i) + ":00.0";
        state.ports.push_back(std::move(port));
    }
    return state;
}

DesiredState on_each(const State& state, const std::vector<Desired>& desired_values) {
    DesiredState out;
    for (const Port& port : state.ports) {
        if (port.name == kHost) continue;
        out.ports.push_back(port.name);
        for (Desired desired : desired_values) {
            desired.port = port.name;
            out.desired_values.push_back(std::move(desired));
        }
    }
    return out;
}

using Reported = std::set<std::pair<std::string, std::string>>;

/// Which setting of which port the blocks tell.
Reported settings_in(const std::vector<cli::Block>& blocks) {
    Reported out;
    for (const cli::Block& block : blocks)
        for (const std::string& port : block.ports)
            for (const cli::GroupedChange& change : block.changes) {
                const bool fresh = out.emplace(port, change.name).second;
                // Unfolded, each route is reported by itself, and its name is that of all routes.
                const Field* field = find_field(change.name);
                const bool of_list = field != nullptr && field->shape.kind == Shape::Kind::items;
                CHECK((fresh || of_list));
            }
    return out;
}

Reported settings_in(const std::vector<Step>& steps) {
    Reported out;
    for (const Step& step : steps)
        for (const Change& change : step.changes)
            out.emplace(step.port, element_name(*change.field, change.element));
    return out;
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

TEST_CASE("fold: ports that differ in nothing but what is their own are one block") {
    const State state = rails("mlx5_core", 8);
    DesiredState desired_values = on_each(
        state, {hosts::desired("mtu", std::uint64_t{9000}), hosts::desired("pause.rx", false)});
    for (const Port& port : state.ports) {
        const std::string address = "10.0.0." + port.name.substr(4) + "/31";
        desired_values.desired_values.push_back(
            hosts::desired("addresses", address, "10.0.0." + port.name.substr(4), port.name));
    }
    const Plan plan = make_plan(desired_values, state);
    const std::vector<cli::Block> grouped = cli::blocks(plan.steps, cli::grouping_of(plan, true));
    REQUIRE(grouped.size() == 1);
    CHECK(grouped.front().ports.size() == 8);
    CHECK(grouped.front().changes.size() == 3);
    const auto own =
        std::ranges::find(grouped.front().changes, "addresses", &cli::GroupedChange::name);
    REQUIRE(own != grouped.front().changes.end());
    CHECK(own->own.size() == 8);
    CHECK(own->own.at(5) == "10.0.0.5/31");
    CHECK(cli::plan_text(plan, {}).starts_with("rail0 … (8 ports)  (mlx5_core)\n"));
}

TEST_CASE("fold: a port that differs in a value stands by itself, and says so") {
    State state = rails("mlx5_core", 8);
    find_port(state, "rail3")->link->mtu = 4200;
    const Plan plan =
        make_plan(on_each(state, {hosts::desired("mtu", std::uint64_t{9000})}), state);
    const std::vector<cli::Block> grouped = cli::blocks(plan.steps, cli::grouping_of(plan, true));
    REQUIRE(grouped.size() == 2);
    CHECK(grouped.at(1).ports == std::vector<std::string>{"rail3"});
    CHECK(cli::plan_text(plan, {}).find("rail0, rail1, rail2, rail4, rail5, rail6, rail7") !=
          std::string::npos);
}

TEST_CASE("fold: nothing is reported twice, nothing is lost, and unfolded each port stands alone") {
    for (const char* driver : {"mlx5_core", "ice", "bnxt_en", "hns3", "generic"}) {
        CAPTURE(driver);
        const State state = rails(driver, 5);
        const Plan plan = make_plan(on_each(state, hosts::lossless(driver).desired_values), state);
        const Reported all = settings_in(plan.steps);
        CHECK(settings_in(cli::blocks(plan.steps, cli::grouping_of(plan, true))) == all);
        const std::vector<cli::Block> ungrouped =
            cli::blocks(plan.steps, cli::grouping_of(plan, false));
        for (const cli::Block& block : ungrouped)
            CHECK(block.ports.size() == 1);
        CHECK(settings_in(ungrouped) == all);
        const auto reported = cli::reported(plan.findings, cli::grouping_of(plan, false));
        CHECK(reported.size() == plan.findings.size());
        // Each port that something is to be said of is named, however it is folded.
        std::set<std::string> said;
        for (const cli::Reported& one : cli::reported(plan.findings, cli::grouping_of(plan, true)))
            for (const cli::Concerned& concerned : one.concerned)
                said.insert(concerned.ports.begin(), concerned.ports.end());
        for (const Finding& finding : plan.findings)
            CHECK(said.contains(finding.port));
    }
}

TEST_CASE("fold: one cause is reported once, with the ports and settings that it concerns") {
    const State state = rails("mlx5_core", 8);
    const Plan plan = [&] {
        Plan out;
        out.before = state;
        for (const Port& port : state.ports) {
            out.ports.push_back(port.name);
            for (const char* element : {"26", "48"}) {
                Finding finding =
                    finding_about(hosts::desired("dscp.map", std::uint64_t{3}, element, port.name),
                                  findings::infeasible);
                finding.cause = "the agent of " + port.name + " at " + port.link->pci + " keeps it";
                finding.text = "expected 3: " + finding.cause;
                finding.remedy = "stop it";
                out.findings.push_back(std::move(finding));
            }
        }
        return out;
    }();
    CHECK(cli::plan_findings_text(plan, {}) ==
          "failure: the agent of PORT at PCI keeps it\n"
          "  rail0 … (8 ports): dscp.map 26,48\n"
          "  remedy: stop it\n");
    CHECK(lines_in(cli::plan_findings_text(plan, {.group_ports = false})) == 32);
}

TEST_CASE("fold: a finding names the element it is about") {
    Plan plan;
    plan.findings.push_back(finding_about(
        hosts::desired("host.sysctl", std::string("1"), "net.core.rmem_max", "the host"),
        findings::unsupported));
    plan.findings.back().text = "no such parameter";
    CHECK(cli::plan_findings_text(plan, {}) ==
          "failure: the host: host.sysctl net.core.rmem_max: no such parameter\n");
}

}  // namespace port_groups_test
