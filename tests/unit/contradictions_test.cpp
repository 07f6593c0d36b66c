// SPDX-License-Identifier: Apache-2.0
#include "core/plan/contradictions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"
#include "core/profile/draft.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace contradictions_test {

using namespace core;

namespace {

using Lines = std::vector<std::string>;

/// A host whose RDMA device can be told all that an intent comes to.
State rdma_host(const std::string& driver) {
    State state = hosts::host(driver);
    Port& port = state.ports[0];
    port.rdma_link = RdmaLink{.device = "rocep0"};
    port.cm_directory = true;
    port.cm_defaults = CmDefaults{.mode = "IB/RoCE v1", .tos = 0};
    if (driver == "bnxt_en") port.ecn_directory = true;
    return state;
}

Plan checked_plan(StateFile& kernel, const DesiredState& desired_values) {
    Plan plan = make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
    for (Finding& finding : contradictions(desired_values, plan))
        plan.findings.push_back(std::move(finding));
    return plan;
}

Lines failures(const Plan& plan) {
    Lines out;
    for (const Finding& finding : plan.findings)
        if (finding.level == Finding::Level::failure)
            out.push_back(std::string(std::string_view(finding.id)) + ": " + finding.text);
    return out;
}

/// What the checks find on the port as it is, with nobody's desired values.
Lines faults_of(const Port& port) {
    Lines out;
    for (const FindingRow* row : catalogue())
        if (const auto faults = examine(*row, {.driver = &driver_of(port), .now = &port}))
            for (const Fault& fault : *faults)
                if (row->level == FindingLevel::failure) out.push_back(fault.text);
    return out;
}

/// Applies what can be applied, and says whether it was; the result contradicts nothing.
bool check_law(const std::string& driver, const Profile& profile, const Variables& variables) {
    StateFile kernel(rdma_host(driver));
    const DesiredState desired_values = resolve(profile, variables, kernel.state());
    const Plan plan = checked_plan(kernel, desired_values);
    if (!feasible(plan)) return false;
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(failures(checked_plan(kernel, desired_values)) == Lines{});
    const State& now = kernel.state();
    CHECK(faults_of(now.ports[0]) == Lines{});
    CHECK(draft_profile(now, {&now.ports[0]}, "x").left_out == Lines{});
    return true;
}

class IntentDice {
public:
    explicit IntentDice(unsigned seed) : numbers_(seed) {}

    std::string roce() {
        const std::uint64_t priority = below(8);
        const std::uint64_t dscp = below(64);
        std::string out = "{\"priority\": " + std::to_string(priority) +
                          ", \"dscp\": " + std::to_string(dscp) +
                          ", \"bandwidth\": " + std::to_string(1 + below(99)) +
                          ", \"ecn\": " + (below(2) == 0 ? "true" : "false") + ", \"cnp\": ";
        if (below(3) == 0) return out + "null}";
        return out + "{\"priority\": " + std::to_string((priority + 1 + below(7)) % 8) +
               ", \"dscp\": " + std::to_string((dscp + 1 + below(63)) % 64) + "}}";
    }

    /// Now and then what is lossless is stated too.
    std::string settings() {
        std::string out = "\"mtu\": " + std::to_string(1500 + 100 * below(76));
        if (below(2) == 0) return out;
        out += ", \"pfc.priorities\": [";
        for (std::uint64_t priority = 0, any = 0; priority < kPriorities; ++priority)
            if (below(4) == 0) out += (any++ == 0 ? "" : ", ") + std::to_string(priority);
        return out + "]";
    }

private:
    std::uint64_t below(std::uint64_t end) { return numbers_() % end; }
    std::mt19937 numbers_;
};

}  // namespace

TEST_CASE("law: what a random intent brings about contradicts nothing, on every driver") {
    for (const Driver* const driver : drivers()) {
        if (!driver->app.no_dscp.empty()) continue;  // every intent that trusts DSCP is refused
        unsigned applied = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            IntentDice dice(seed);
            const std::string text =
                profiles::entry("\"roce\": " + dice.roce() + ", " + dice.settings());
            INFO(driver->name, " ", text);
            if (!profiles::problems(text).empty()) continue;
            if (check_law(std::string(driver->name), profiles::load(text), {})) ++applied;
        }
        INFO(driver->name);
        CHECK(applied > 15);
    }
}

TEST_CASE("law: what a shipped profile brings about contradicts nothing, on every driver") {
    const Variables variables{.set = {{"nic", "ens1f0"},
                                      {"members", "ens1f0"},
                                      {"bond", "ens1f0"},
                                      {"address", "192.168.100.1"},
                                      {"gateway", "192.168.100.2"},
                                      {"rails", "10.0.0.0/8"},
                                      {"network", "192.168.100.0"},
                                      {"vlan", "100"},
                                      {"functions", "8"},
                                      {"length", "24"}}};
    for (const auto& file : std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/profiles")) {
        const Profile profile = profiles::load(profiles::shipped(file.path().stem().string()));
        for (const Driver* const driver : drivers()) {
            INFO(file.path().stem().string(), " ", driver->name);
            check_law(std::string(driver->name), profile, variables);
        }
    }
}

TEST_CASE("contradictions: two lossless priorities share no class with a lossy one") {
    for (const Driver* const driver : drivers()) {
        if (!driver->app.no_dscp.empty()) continue;
        INFO(driver->name);
        const Profile profile =
            profiles::load(profiles::entry(R"("roce": {}, "pfc.priorities": [3, 4])"));
        StateFile kernel(rdma_host(std::string(driver->name)));
        const DesiredState desired_values = resolve(profile, {}, kernel.state());
        CHECK(failures(checked_plan(kernel, desired_values)) == Lines{});
        CHECK(check_law(std::string(driver->name), profile, {}));
    }
}

TEST_CASE("contradictions: a port that goes by the tag is not asked about code points") {
    for (const Driver* const driver : drivers()) {
        INFO(driver->name);
        const Profile profile = profiles::load(profiles::entry(
            R"("roce": {"trust": "pcp", "priority": 4}, "vlans": {"7": {"egress_priority": {"2": 4}}})"));
        StateFile kernel(rdma_host(std::string(driver->name)));
        const DesiredState desired_values = resolve(profile, {}, kernel.state());
        CHECK(failures(checked_plan(kernel, desired_values)) == Lines{});
        CHECK(check_law(std::string(driver->name), profile, {}));
    }
}

TEST_CASE("contradictions: what is desired is held against what the port has beside it") {
    State state = rdma_host("hns3");
    state.ports[0].pause = Pause{};
    StateFile kernel(state);
    const Profile profile =
        profiles::load(profiles::entry(R"("mtu": 9000, "pfc.priorities": [3])"));
    const DesiredState desired_values = resolve(profile, {}, kernel.state());
    CHECK(failures(checked_plan(kernel, desired_values)) ==
          Lines{"lossless-shared: main.json:1: lossless priority 3 shares traffic class 0 with "
                "priority 0, which may drop"});
    // Nobody asked about it here.
    State lossless = state;
    lossless.ports[0].pfc->priorities = 8;
    StateFile as_it_is(lossless);
    const DesiredState mtu =
        resolve(profiles::load(profiles::entry(R"("mtu": 9000, "roce": null)")), {}, lossless);
    CHECK(failures(checked_plan(as_it_is, mtu)) == Lines{});
}

}  // namespace contradictions_test
