// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace driver_rows_test {

using namespace core;

// What the driver rows say, seen from a profile.

namespace {

State host_of(const std::string& driver, std::uint8_t classes = 8) {
    State state = hosts::host(driver);
    Port& port = state.ports[0];
    port.ets->capability = classes;
    port.rdma_link = RdmaLink{.device = "rdma0", .index = 1};
    port.cm_directory = true;
    port.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 0};
    if (driver == "bnxt_en") port.ecn_directory = true;
    return state;
}

Plan plan_of(const State& state, const std::string& settings) {
    const DesiredState desired_values =
        resolve(profiles::load(profiles::entry(settings)), {}, state);
    StateFile kernel(state);
    return hosts::plan(kernel, desired_values);
}

std::string failures(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        if (finding.level != Finding::Level::note) out += finding.key + ": " + finding.text + "; ";
    return out;
}

}  // namespace

TEST_CASE("drivers: ice takes DSCP entries only of priorities whose class the port has") {
    const Plan refused = plan_of(host_of("ice", 4), R"("roce": {})");
    CHECK_FALSE(feasible(refused));
    CHECK(failures(refused).find("the port has 4 traffic classes, and ice takes no DSCP entry of "
                                 "priority 6; state a priority below 4") != std::string::npos);
    const State four = host_of("ice", 4);
    const std::string low = R"("roce": {"cnp": {"priority": 2}})";
    const Plan plan = plan_of(four, low);
    CHECK(failures(plan) == "");
    StateFile kernel(four);
    const DesiredState desired_values = resolve(profiles::load(profiles::entry(low)), {}, four);
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[0].ets->traffic_class ==
          PerPriority<std::uint8_t>{0, 1, 2, 3, 0, 0, 0, 0});
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(failures(plan_of(host_of("ice"), R"("roce": {})")) == "");
}

TEST_CASE("drivers: how many traffic classes there are is what the port says, on every driver") {
    const std::string five = R"("ets": {"traffic_class": [0, 0, 0, 1, 0, 0, 2, 4]})";
    for (const Driver* const driver : drivers()) {
        INFO(driver->name);
        if (driver->ets.classes_contiguous) continue;
        const std::string name(driver->name);
        CHECK(failures(plan_of(host_of(name, 8), five)) == "");
        const std::string few = failures(plan_of(host_of(name, 3), five));
        CHECK(few.find("the port has 3 traffic classes, and no class 4") != std::string::npos);
    }
}

TEST_CASE("drivers: on bnxt congestion control comes before the code points that it clears") {
    for (const bool directory : {false, true}) {
        State state = host_of("bnxt_en");
        state.ports[0].ecn_directory = directory;
        const Plan plan = plan_of(state, R"("roce": {})");
        CHECK(failures(plan) == "");
        const auto at = [&](Object object) {
            return std::ranges::find(plan.steps, object, &Step::object) - plan.steps.begin();
        };
        CHECK(at(Object::ecn) < at(Object::app));
        CHECK(at(Object::app) < static_cast<std::ptrdiff_t>(plan.steps.size()));
        CHECK(at(Object::ets) < at(Object::pfc));
    }
}

TEST_CASE("drivers: what bnxt answers before it was told ETS is not taken for the truth") {
    State state = host_of("bnxt_en");
    state.ports[0].ets = Ets{.capability = 3};
    const Plan off = plan_of(state, R"("pfc": {"priorities": []})");
    CHECK(failures(off).find("bnxt_en refuses PFC until it was told ETS; state ets too") !=
          std::string::npos);
    const std::string both =
        R"("roce": {}, "pfc": {"priorities": []}, "optional": ["pfc.priorities"])";
    const Plan plan = plan_of(state, both);
    CHECK(failures(plan) == "");
    const auto step = std::ranges::find(plan.steps, Object::pfc, &Step::object);
    REQUIRE(step != plan.steps.end());
    CHECK(step->changes[0].before_unknown);
    const auto ets = std::ranges::find(plan.steps, Object::ets, &Step::object);
    REQUIRE(ets < step);
    CHECK(ets->changes[0].before_unknown);
    CHECK(std::ranges::none_of(plan.steps, &Step::irreversible));  // a host can be brought up

    StateFile kernel(state);
    const DesiredState desired_values =
        resolve(profiles::load(profiles::entry(R"("roce": {})")), {}, state);
    const Plan whole = hosts::plan(kernel, desired_values);
    CHECK(failures(whole) == "");
    const Report report = core::apply(kernel, desired_values, whole);
    CHECK(report.status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    StateFile failing(state);
    failing.refuse(Object::cm_defaults, {.code = 5, .text = "Input/output error"});
    CHECK(hosts::apply(failing, desired_values).status == Status::brought_back);
    CHECK(failing.state().ports[0].pfc->priorities == 0);
    CHECK(failing.state().ports[0].ets == state.ports[0].ets);
}

TEST_CASE("drivers: what closes the port or restarts its PHY costs the link") {
    const auto cost = [](const char* driver, const char* key, bool negotiated = false) {
        Port port = hosts::port(driver);
        port.pause->autoneg = negotiated;
        return disruption_of(port, find_field(key)->object, {key});
    };
    for (const char* key :
         {"ets.bandwidth", "pfc.priorities", "ring.rx", "channels.combined", "mtu"})
        CHECK(cost("bnxt_en", key) == Disruption::link);
    CHECK(cost("bnxt_en", "pause.rx") == Disruption::none);
    CHECK(cost("bnxt_en", "pause.rx", true) == Disruption::link);
    CHECK(cost("bnxt_en", "pause.autoneg") == Disruption::link);
    CHECK(cost("ice", "pause.rx") == Disruption::link);
    CHECK(cost("mlx5_core", "pause.rx", true) == Disruption::none);
}

TEST_CASE("drivers: what comes with a change on bnxt is a note: a priority tag, an unshifted ToS") {
    const auto notes = [](const Plan& plan, std::string_view key) {
        std::string out;
        for (const Finding& finding : plan.findings)
            if (finding.id == "remark" && finding.key == key) out += finding.text;
        return out;
    };
    State state = host_of("bnxt_en");
    state.host.kernel = "6.12.43+deb13-amd64";
    const Plan vendors = plan_of(state, R"("roce": {})");
    CHECK(notes(vendors, "app").find("disable_prio_vlan_tx") != std::string::npos);
    CHECK(notes(vendors, "cm_defaults") == "");
    state.ports[0].ecn.reset();
    state.ports[0].ecn_directory.reset();
    const Plan inbox = plan_of(state, R"("rdma": {"default_tos": 106})");
    CHECK(notes(inbox, "cm_defaults").find("do not leave with DSCP 26") != std::string::npos);
    CHECK(feasible(inbox));
    state.host.kernel = "6.13.0";
    CHECK(notes(plan_of(state, R"("rdma": {"default_tos": 106})"), "cm_defaults") == "");
    State other = host_of("mlx5_core");
    other.host.kernel = "5.15.0";
    CHECK(notes(plan_of(other, R"("rdma": {"default_tos": 106})"), "cm_defaults") == "");
    CHECK(release_of("6.1.0-37-amd64") == Release{6, 1});
    CHECK_FALSE(release_of("six"));
}

}  // namespace driver_rows_test
