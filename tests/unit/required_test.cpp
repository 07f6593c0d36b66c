// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace required_test {

using namespace core;
using Lines = std::vector<std::string>;

// What rocectl does not set, and without which a profile wants nothing written.

namespace {

State host_in(unsigned lanes, const std::string& tuned) {
    State state = hosts::host("mlx5_core");
    state.ports[0].pcie_link.emplace();
    state.ports[0].pcie_link->width = lanes;
    Port host = hosts::whole_host();
    host.tuned = tuned;
    host.irqbalance = true;
    state.ports.push_back(host);
    return state;
}

DesiredState resolved(const std::string& text, const State& state) {
    return resolve(load_profile({.name = "main.json", .text = text}, nullptr), {}, state);
}

std::string profile(const std::string& of_port, const std::string& of_host) {
    return R"({"format": 1, "ports": [{"match": {"name": "ens1f0"}, "mtu": 9000, )" + of_port +
           R"("facts": {"pcie.link_width": 16}}], "host": {"tuned": "latency", )" + of_host +
           R"("irqbalance": true}})";
}

Lines kept_by(const Plan& plan) {
    Lines out;
    for (const Finding& finding : plan.findings)
        if (finding.id == findings::required) out.push_back(finding.key);
    return out;
}

const std::string kPort = R"("required": ["pcie.link_width"], )";
const std::string kHostToo = R"("required": ["tuned"], )";

}  // namespace

TEST_CASE("required: what is otherwise keeps all from being written, and only then") {
    struct Case {
        unsigned lanes;
        std::string tuned;
        Lines kept;
    };
    for (const Case& one : {Case{16, "latency", {}}, Case{8, "latency", {"pcie.link_width"}},
                            Case{16, "balanced", {"host.tuned"}}}) {
        CAPTURE(one.lanes);
        CAPTURE(one.tuned);
        StateFile kernel(host_in(one.lanes, one.tuned));
        const DesiredState desired_values = resolved(profile(kPort, kHostToo), kernel.state());
        const Plan plan = hosts::plan(kernel, desired_values);
        CHECK(kept_by(plan) == one.kept);
        CHECK(feasible(plan) == one.kept.empty());
        const bool written = hosts::apply(kernel, desired_values).status == Status::done;
        CHECK(written == one.kept.empty());
        CHECK((hosts::read_all(kernel).ports[0].link->mtu == 9000) == one.kept.empty());
        CHECK(feasible(hosts::plan(kernel, resolved(profile("", ""), kernel.state()))));
    }
}

TEST_CASE("required: what cannot be read is not as required") {
    State state = host_in(16, "latency");
    state.ports[0].pcie_link.reset();
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, resolved(profile(kPort, ""), state));
    CHECK(kept_by(plan) == Lines{"pcie.link_width"});
    CHECK_FALSE(feasible(plan));
    // It may be as required: nobody can tell.
    CHECK(plan.findings.front().level == Finding::Level::unknown);
}

TEST_CASE("required: what a snapshot did not ask for is unknown, and no failure") {
    State state = host_in(16, "latency");
    DesiredState desired_values =
        resolved(R"({"format": 1, "ports": [{"match": {"name": "ens1f0"}}], "host": )"
                 R"({"sysctl": {"kernel.shmmax": "1"}}})",
                 state);
    find_port(state, kHost)->sysctl = Sysctl{{"net.core.somaxconn", "1"}};
    const Port& host = *find_port(state, kHost);
    Desired desired = desired_values.desired_values.back();
    desired.required = true;
    const Finding finding = as_required(desired, unreachable(Reading(host), desired));
    CHECK(finding.id == findings::required);
    CHECK(finding.level == Finding::Level::unknown);
}

TEST_CASE("required: what another program sets can be") {
    StateFile kernel(host_in(16, "latency"));
    const std::string other =
        R"("required": ["pfc.priorities"], "external": ["pfc.priorities"], "pfc": {"priorities": [3]}, )";
    const Plan plan = hosts::plan(kernel, resolved(profile(other, ""), kernel.state()));
    CHECK(kept_by(plan) == Lines{"pfc.priorities"});
    CHECK_FALSE(feasible(plan));
}

TEST_CASE("required: what can be no condition is reported") {
    const auto problem = [](const std::string& list, const std::string& more = "") {
        const Lines all =
            profiles::problems(profile("\"required\": [\"" + list + "\"], " + more, ""));
        return all.size() == 1 ? all[0].substr(all[0].find("found")) : std::to_string(all.size());
    };
    CHECK(problem("mtu") ==
          "found 'mtu', which rocectl sets, so that it is required unless it is optional; expected "
          "facts, or what rocectl does not set");
    CHECK(problem("pcie.iommu") ==
          "found 'pcie.iommu', which is not stated, expected it under facts");
    CHECK(problem("pfc.priorities", R"("external": ["pfc.priorities"], )") ==
          "found 'pfc.priorities', which is not stated, expected it beside this list");
    CHECK(problem("mtu", R"("optional": ["mtu"], )") ==
          "found 'mtu', which is under optional too, expected one of both");
    CHECK(problem("mut").starts_with("found unknown key 'mut', did you mean 'mtu'?"));
}

}  // namespace required_test
