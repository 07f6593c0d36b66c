// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/objects/link/parts.hpp"
#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"

namespace link_modes_test {

using namespace core;

namespace {

Desired speed(std::uint64_t mbit) {
    return hosts::desired("link.speed", mbit);
}
Desired autoneg(bool on) {
    return hosts::desired("link.autoneg", on);
}

/// What a plan says against the desired values; empty where it is feasible.
std::string objection(const State& state, std::vector<Desired> desired_values) {
    StateFile kernel(state);
    std::string out;
    for (const Finding& finding :
         hosts::plan(kernel, hosts::desired_values(std::move(desired_values))).findings)
        out += finding.text;
    return out;
}

std::string objection(const std::string& driver, std::vector<Desired> desired_values) {
    return objection(hosts::host(driver), std::move(desired_values));
}

/// The commands, after a check that applying them is what was foreseen and can be undone.
Commands done_and_undone(const State& state, std::vector<Desired> some) {
    StateFile kernel(state);
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values(std::move(some));
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(feasible(plan));
    const Report report = core::apply(kernel, desired_values, plan);
    CHECK(report.status == Status::done);
    CHECK(report.surprises.empty());
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    return commands(plan);
}

State forced(const std::string& driver, std::uint64_t mbit) {
    StateFile kernel(hosts::host(driver));
    REQUIRE(hosts::apply(kernel, hosts::desired_values({autoneg(false), speed(mbit)})).status ==
            Status::done);
    return hosts::read_all(kernel);
}

}  // namespace

TEST_CASE("link modes: speed, lanes and duplex are in the kernel's names") {
    CHECK(link_mode("100000baseCR4/Full") == LinkMode{.speed = 100000, .lanes = 4, .full = true});
    CHECK(link_mode("100000baseLR4_ER4/Full") == LinkMode{.speed = 100000, .lanes = 4});
    CHECK(link_mode("50000baseLR_ER_FR/Full") == LinkMode{.speed = 50000, .lanes = 1});
    CHECK(link_mode("400000baseDR8/Full") == LinkMode{.speed = 400000, .lanes = 8});
    CHECK(link_mode("10baseT/Half") == LinkMode{.speed = 10, .lanes = 1, .full = false});
    CHECK(link_mode("1000baseT1/Full") == LinkMode{.speed = 1000, .lanes = 1});
    CHECK(link_mode("10000baseR_FEC") == LinkMode{.speed = 10000, .lanes = 1});
    for (const char* other : {"Autoneg", "Pause", "FIBRE", "RS", "None", "", "100000"})
        CHECK_FALSE(link_mode(other).has_value());
}

TEST_CASE("link modes: what all offered modes have in common") {
    CHECK(common_mode({{"25000baseCR/Full", true}, {"100000baseCR4/Full", true}}) ==
          CommonMode{.duplex = "full"});
    CHECK(common_mode({{"25000baseCR/Full", false}, {"100000baseCR4/Full", true}}) ==
          CommonMode{.speed = 100000, .lanes = 4, .duplex = "full"});
    CHECK(common_mode(
              {{"25000baseCR/Full", true}, {"50000baseCR2/Full", true}, {"25000baseSR/Full", true}})
              .speed == std::nullopt);
    CHECK(common_mode({}) == CommonMode{});
}

TEST_CASE("link.speed: a port that negotiates offers the modes of that speed alone") {
    CHECK(done_and_undone(hosts::host("generic"), {speed(100000)}) ==
          Commands{"ethtool --change ens1f0 autoneg on advertise 25000baseCR/Full off "
                   "50000baseCR2/Full off"});
    CHECK(done_and_undone(hosts::host("ice"), {speed(100000), hosts::desired("link.lanes", 2UL)}) ==
          Commands{"ethtool --change ens1f0 autoneg on advertise 100000baseCR4/Full off "
                   "25000baseCR/Full off 50000baseCR2/Full off"});
}

TEST_CASE("link.speed: forced where the port does not negotiate, at the cost of the link") {
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        INFO(driver.name);
        const State state = hosts::host(std::string(driver.name));
        CHECK(done_and_undone(state, {autoneg(false), speed(25000)}) ==
              Commands{"ethtool --change ens1f0 autoneg off speed 25000 duplex full"});
        StateFile kernel(state);
        const Plan plan =
            hosts::plan(kernel, hosts::desired_values({autoneg(false), speed(25000)}));
        REQUIRE(plan.steps.size() == 1);
        CHECK(plan.steps[0].disruption == Disruption::link);
        CHECK(plan.predicted.ports[0].speed == 25000U);
    }
}

TEST_CASE("link.speed: a subset that somebody chose to offer comes back as it was") {
    State state = hosts::host("generic");
    state.ports[0].link_modes->offered.at("25000baseCR/Full") = false;
    done_and_undone(state, {speed(25000)});
    done_and_undone(state, {autoneg(false), speed(100000)});
}

TEST_CASE("link.speed: what the modes had in common beside it does not hold it back") {
    State state = hosts::host("generic");
    for (auto& [name, on] : state.ports[0].link_modes->offered)
        on = name == "50000baseCR2/Full";
    state.ports[0].link_modes->speed = 50000;
    state.ports[0].link_modes->lanes = 2;
    done_and_undone(state, {speed(25000)});
    CHECK(done_and_undone(state, {speed(100000)}) ==
          Commands{"ethtool --change ens1f0 autoneg on advertise 100000baseCR2/Full on "
                   "100000baseCR4/Full on 50000baseCR2/Full off"});
    done_and_undone(state, {speed(100000), hosts::desired("link.lanes", 2UL)});
}

TEST_CASE("link.autoneg: on again, the port offers the speed that was forced") {
    const State state = forced("generic", 100000);
    CHECK(done_and_undone(state, {autoneg(true)}) ==
          Commands{"ethtool --change ens1f0 autoneg on advertise 25000baseCR/Full off "
                   "50000baseCR2/Full off"});
    CHECK(done_and_undone(state, {autoneg(true), hosts::no_desired("link.speed", "")}) ==
          Commands{"ethtool --change ens1f0 autoneg on"});
}

TEST_CASE("link: what the port does not have is refused with what it has") {
    CHECK(objection("generic", {speed(40000)}) ==
          "expected 40000, found nothing (test.json:1): the port has no link mode of 40000 Mb/s, "
          "only of 25000, 50000, 100000");
    CHECK(objection("generic", {hosts::desired("link.duplex", std::string("half"))})
              .ends_with("the port has no link mode, half duplex"));
    CHECK(objection("ice", {autoneg(false)})
              .ends_with("a port that does not negotiate has one speed; state link.speed"));
    State fixed = hosts::host("generic");
    fixed.ports[0].link_modes->can_negotiate = false;
    fixed.ports[0].link_modes->autoneg = false;
    fixed.ports[0].link_modes->speed = 100000;
    CHECK(objection(fixed, {autoneg(true)}).ends_with("the port does not negotiate"));
}

TEST_CASE("link: what a driver does not take is refused before anything is written") {
    CHECK(objection("hns3", {speed(100000)})
              .ends_with("hns3 negotiates every mode that the port has"));
    CHECK(objection(forced("ice", 100000), {hosts::desired("link.lanes", 2UL)})
              .ends_with("ice takes lanes only with link.autoneg on"));
    CHECK(objection(forced("generic", 100000), {hosts::desired("link.lanes", 2UL)}).empty());
}

TEST_CASE("link.speed: forced without a link, it cannot be told") {
    State state = forced("generic", 100000);
    state.ports[0].link_modes->speed.reset();
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, hosts::desired_values({speed(100000)}));
    CHECK_FALSE(satisfied(plan));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].changes[0].before == std::nullopt);
}

TEST_CASE("link.fec: one mode, refused where the port does not have it") {
    CHECK(done_and_undone(hosts::host("generic"),
                          {hosts::desired("link.fec", std::string("baser"))}) ==
          Commands{"ethtool --set-fec ens1f0 encoding baser"});
    CHECK(objection("mlx5_core", {hosts::desired("link.fec", std::string("llrs"))}) ==
          "expected llrs, found auto (test.json:1): the port has no llrs, only baser, off, rs and "
          "auto");
    CHECK(objection("hns3", {hosts::desired("link.fec", std::string("auto"))})
              .ends_with("hns3 does not tell whether FEC is auto"));
    State state = forced("bnxt_en", 100000);
    state.ports[0].fec = Fec{.mode = "rs", .active = "rs"};
    CHECK(objection(state, {hosts::desired("link.fec", std::string("auto"))})
              .ends_with("bnxt_en has FEC auto only with link.autoneg on"));
}

TEST_CASE("link.fec: several at once are never written over, since they could not be put back") {
    State state = hosts::host("generic");
    state.ports[0].fec = Fec{.mode = "", .active = "rs"};
    CHECK(objection(state, {hosts::desired("link.fec", std::string("rs"))})
              .ends_with("more than one FEC is asked for now, which rocectl cannot put back"));
}

}  // namespace link_modes_test
