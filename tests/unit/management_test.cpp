// SPDX-License-Identifier: Apache-2.0
#include "core/plan/management.hpp"

#include <doctest/doctest.h>

#include "cli/views/text.hpp"
#include "core/checks/catalogue.hpp"
#include "tests/unit/hosts.hpp"

namespace management_test {

using namespace core;

namespace {

Route default_route() {
    return {.to = {}, .via = parse_ip("10.0.0.1")};
}

Port upper(const std::string& name, const std::string& kind, const std::string& lower) {
    Port out(name);
    out.link = Link{.kind = kind, .lower = lower, .up = true, .carrier = true, .mtu = 1500};
    out.addresses = {{.ip = *parse_ip("10.0.0.5"), .prefix_length = 24}};
    out.routes = {default_route()};
    return out;
}

/// What is told of the plan that takes the link of ens1f0, on the host.
std::vector<std::string> told(const State& state, const std::string& session,
                              bool guarded = false) {
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, hosts::desired_values({hosts::desired("up", false)}));
    const State read = kernel.read(management_scope(plan, state));
    std::vector<std::string> out;
    for (const Finding& finding : cut_management(plan, state, read, parse_ip(session), guarded))
        out.push_back(finding.port + ": " + finding.text +
                      (finding.remedy.empty() ? "" : " | " + finding.remedy));
    return out;
}

State plain() {
    State out = hosts::host("mlx5_core");
    out.ports[0].addresses = {{.ip = *parse_ip("10.0.0.5"), .prefix_length = 24}};
    out.ports[0].routes = {default_route()};
    return out;
}

constexpr const char* kOffer =
    " | apply with --confirm 5m, which goes back by itself unless rocectl confirm comes in that "
    "time";

}  // namespace

TEST_CASE("management: a port that carries the default route or the session, and loses its link") {
    using Told = std::vector<std::string>;
    CHECK(
        told(plain(), "10.0.0.5") ==
        Told{"ens1f0: the default route and this session (to 10.0.0.5) lead by this port, and its "
             "link is lost" +
             std::string(kOffer)});
    CHECK(
        told(plain(), "10.0.0.5", true) ==
        Told{"ens1f0: the default route and this session (to 10.0.0.5) lead by this port, and its "
             "link is lost"});
    CHECK(told(plain(), "") ==
          Told{"ens1f0: the default route leads by this port, and its link is lost" +
               std::string(kOffer)});
    State bare = plain();
    bare.ports[0].routes->clear();
    CHECK(told(bare, "192.0.2.1").empty());
    // Another table's default route is a rail's.
    bare.ports[0].routes = {default_route()};
    bare.ports[0].routes->front().table = 101;
    CHECK(told(bare, "").empty());
}

TEST_CASE("management: what stands on the port is looked at too: a VLAN, a bond, a VLAN on that") {
    using Told = std::vector<std::string>;
    State host = plain();
    host.ports[0].addresses->clear();
    host.ports[0].routes->clear();
    State tagged = host;
    tagged.ports.push_back(upper("ens1f0.100", "vlan", "ens1f0"));
    CHECK(told(tagged, "") == Told{"ens1f0.100: the default route leads by this port, and the link "
                                   "below it is lost: ens1f0" +
                                   std::string(kOffer)});
    State bonded = host;
    bonded.ports[0].link->master = "bond0";
    bonded.ports[0].link->master_kind = "bond";
    Port bond("bond0");
    bond.link = Link{.kind = "bond", .up = true};
    bonded.ports.push_back(bond);
    bonded.ports.push_back(upper("bond0.7", "vlan", "bond0"));
    CHECK(told(bonded, "10.0.0.5").size() == 1);
    CHECK(told(bonded, "10.0.0.5").front().starts_with("bond0.7: the default route and this"));
}

TEST_CASE("management: an address or a default route that goes without the link is told") {
    StateFile kernel(plain());
    Desired gone = hosts::no_desired("addresses", "10.0.0.5");
    const Plan plan = hosts::plan(kernel, hosts::desired_values({gone}));
    const auto found = cut_management(plan, kernel.state(), {}, parse_ip("10.0.0.5"), false);
    REQUIRE(found.size() == 1);
    CHECK(found[0].text == "the address of this session, 10.0.0.5, is taken away");
    CHECK_FALSE(costs_link(plan));
    CHECK(cut_management(plan, kernel.state(), {}, parse_ip("10.0.0.9"), false).empty());
}

TEST_CASE("management: what is cut off stands before all that changes") {
    StateFile kernel(plain());
    Plan plan = hosts::plan(kernel, hosts::desired_values({hosts::desired("up", false)}));
    const auto found = cut_management(plan, kernel.state(), {}, std::nullopt, false);
    plan.findings.insert(plan.findings.begin(), found.begin(), found.end());
    const std::string text = cli::plan_text(plan, {});
    CHECK(
        text.starts_with("note: ens1f0: the default route leads by this port, and its link is "
                         "lost\n"));
    CHECK(text.find("rocectl confirm") < text.find("on → off"));
    CHECK(text.find("the default route", 40) == std::string::npos);
}

}  // namespace management_test
