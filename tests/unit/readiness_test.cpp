// SPDX-License-Identifier: Apache-2.0
#include "core/plan/readiness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/checks/catalogue.hpp"
#include "core/plan/judge.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace readiness_test {

using namespace core;

namespace {

using Change = std::function<void(Port&)>;
using Ids = std::vector<std::string>;

constexpr auto kOwn = "fe80:0000:0000:0000:0000:0000:0000:0001";
constexpr auto kIpv4 = "0000:0000:0000:0000:0000:ffff:c000:0201";

Gid gid(const std::string& text, const std::string& type = "RoCE v2",
        const std::string& port = "ens1f0") {
    return {.index = 0, .gid = text, .type = type, .port = port};
}

/// A port on which everything works that the desired values below state.
State working() {
    State state = hosts::host("mlx5_core");
    Port& port = state.ports[0];
    port.link->up = port.link->carrier = true;
    port.link->mtu = 9000;
    port.link_modes->speed = 100000;
    port.speed = 100000;
    port.addresses = std::vector<Address>{{.ip = *parse_ip("192.0.2.1"), .prefix_length = 24},
                                          {.ip = *parse_ip("fe80::1"), .by_kernel = true}};
    port.rdma_link = RdmaLink{.device = "mlx5_0"};
    port.rdma_port = RdmaPort{.state = "ACTIVE",
                              .physical_state = "LINK_UP",
                              .gids = std::vector<Gid>{gid(kOwn), gid(kIpv4)}};
    port.active_mtu = ActiveMtu{.bytes = 4096, .max = 4096};
    return state;
}

DesiredState stated() {
    return hosts::desired_values({hosts::desired("up", true),
                                  hosts::desired("mtu", std::uint64_t{9000}),
                                  hosts::desired("link.speed", std::uint64_t{100000}),
                                  hosts::desired("addresses", std::string("192.0.2.1/24"))});
}

Ids found(const Change& change, const DesiredState& desired_values = stated()) {
    State state = working();
    change(state.ports[0]);
    Ids out;
    for (const Finding& finding : not_ready(desired_values, state))
        out.emplace_back(finding.id.row().id);
    return out;
}

struct Ran {
    Report report;
    std::chrono::milliseconds took{};
    bool as_before = false;
};

/// An apply of the desired values to a host that becomes `after` by the first write.
Ran ran(const State& before, const DesiredState& desired_values, const Change& after,
        const Waits& waits = {}) {
    // The other end, and the kernel's own doing, change once something is written.
    StateFile file(before);
    hosts::PassThrough kernel(file, {.after_read = [&](State& state) {
                                  for (Port& port : state.ports)
                                      if (file.writes() > 0 && port.name == "ens1f0") after(port);
                              }});
    Recorder nothing;
    const Plan plan = make_plan(desired_values, kernel.read(hosts::everything()));
    REQUIRE(!plan.steps.empty());
    Ran out{.report = apply(kernel, desired_values, plan, nothing, waits), .took = kernel.time()};
    out.as_before = hosts::difference(before, file.state()).empty();
    return out;
}

Ids ids(const std::vector<Finding>& findings) {
    Ids out;
    for (const Finding& finding : findings)
        if (is_of_readiness(finding)) out.emplace_back(finding.id.row().id);
    return out;
}

}  // namespace

TEST_CASE("readiness: a port on which all works has nothing to tell") {
    CHECK(found([](Port&) {}).empty());
}

TEST_CASE("readiness: each fact that does not follow is reported in words of its own") {
    CHECK(found([](Port& port) { port.speed = 40000; }) == Ids{"other-speed"});
    CHECK(found([](Port& port) { port.rdma_port->state = "DOWN"; }) == Ids{"rdma-not-active"});
    CHECK(found([](Port& port) { port.active_mtu->bytes = 1024; }) == Ids{"rdma-mtu"});
    CHECK(found([](Port& port) { port.rdma_port->gids->pop_back(); }) == Ids{"no-gid"});
    CHECK(found([](Port& port) { port.rdma_port->gids->at(1).type = "IB/RoCE v1"; }) ==
          Ids{"no-gid"});
    State state = working();
    state.ports[0].link->carrier = false;
    const std::vector<Finding> findings = not_ready(stated(), state);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].text == "not ready: carrier is off");
    CHECK(findings[0].level == Finding::Level::failure);
}

TEST_CASE("readiness: without a carrier that is the one thing to tell") {
    CHECK(found([](Port& port) {
              port.link->carrier = false;
              port.speed = 0xffffffff;
              port.rdma_port->state = "DOWN";
              port.rdma_port->gids->clear();
              port.active_mtu->bytes = 1024;
          }) == Ids{"no-carrier"});
}

TEST_CASE("readiness: what is not known, or not there, is no fault") {
    CHECK(found([](Port& port) { port.active_mtu.reset(); }).empty());
    CHECK(found([](Port& port) { port.active_mtu = ActiveMtu{}; }).empty());
    CHECK(found([](Port& port) { port.speed.reset(); }).empty());
    CHECK(found([](Port& port) { port.speed = 0xffffffff; }).empty());
    // iWARP's GID is of no netdev.
    CHECK(found([](Port& port) { port.rdma_port->gids = std::vector{gid(kOwn, "", "")}; }).empty());
    CHECK(found([](Port& port) {
              port.refused[Object::speed] = {.code = 95, .text = "no"};
          }).empty());
}

TEST_CASE("readiness: a GID table without entries lacks those of the addresses") {
    CHECK(found([](Port& port) { port.rdma_port->gids->clear(); }) == Ids{"no-gid"});
    CHECK(found([](Port& port) {
              port.rdma_link->protocol = "iw";
              port.rdma_port->gids->clear();
          }).empty());
}

TEST_CASE("readiness: what was not recorded of a RoCE device is unknown, and no pass") {
    const auto told = [](const Change& change) {
        State state = working();
        change(state.ports[0]);
        std::vector<std::string> out;
        for (const Finding& finding : not_ready(stated(), state)) {
            CHECK(finding.level == Finding::Level::unknown);
            CHECK(finding.id == "unrecorded");
            out.push_back(finding.text);
        }
        return out;
    };
    using Texts = std::vector<std::string>;
    const std::string known = "whether it is ready is not known: ";
    const std::string gids = known + "rdma.gids is not recorded in this state";
    CHECK(told([](Port& port) { port.rdma_port->gids.reset(); }) == Texts{gids});
    CHECK(told([](Port& port) { port.rdma_port.reset(); }) == Texts{gids});
    CHECK(told([](Port& port) {
              port.rdma_port.reset();
              port.rdma_link = RdmaLink{};
          }).empty());
}

TEST_CASE("readiness: what the kernel failed to tell is unknown, and no pass") {
    State state = working();
    state.ports[0].rdma_port.reset();
    state.ports[0].refused[Object::rdma_port] = {.code = 5, .text = "Input/output error"};
    const std::vector<Finding> findings = not_ready(stated(), state);
    REQUIRE(!findings.empty());
    CHECK(findings[0].id == "unreadable");
    CHECK(findings[0].level == Finding::Level::unknown);
}

TEST_CASE("readiness: nothing follows from what is not desired, or not held") {
    const Change broken = [](Port& port) {
        port.link->carrier = false;
        port.active_mtu->bytes = 1024;
    };
    CHECK(found(broken, hosts::desired_values({hosts::desired("pause.rx", false)})).empty());
    CHECK(found(broken, hosts::desired_values({hosts::desired("up", false)})).empty());
    CHECK(found([](Port& port) { port.active_mtu->bytes = 1024; },
                hosts::desired_values({hosts::desired("mtu", std::uint64_t{4200})}))
              .empty());
}

TEST_CASE("readiness: the GIDs of a VLAN stand in the table of the device below") {
    State state = working();
    Port child("ens1f0.100");
    child.link = Link{.kind = "vlan", .lower = "ens1f0", .up = true, .carrier = true};
    child.addresses = std::vector<Address>{{.ip = *parse_ip("198.51.100.1"), .prefix_length = 24}};
    state.ports.push_back(child);
    DesiredState desired_values;
    desired_values.ports = {"ens1f0", "ens1f0.100"};
    desired_values.desired_values = {
        hosts::desired("addresses", std::string("198.51.100.1/24"), "198.51.100.1", "ens1f0.100")};
    REQUIRE(not_ready(desired_values, state).size() == 1);
    CHECK(not_ready(desired_values, state)[0].port == "ens1f0.100");
    state.ports[0].rdma_port->gids->push_back(
        gid("0000:0000:0000:0000:0000:ffff:c633:6401", "RoCE v2", "ens1f0.100"));
    CHECK(not_ready(desired_values, state).empty());
}

TEST_CASE(
    "readiness: the object of a fact says from which settings it follows, and what is found") {
    std::set<const FindingRow*> named;
    for (const Field& field : fields()) {
        if (field.proves == nullptr) continue;
        CAPTURE(field.key);
        CHECK(field.use == Field::Use::fact);
        CHECK(!field.proves->from.empty());
        for (const std::string_view key : field.proves->from) {
            REQUIRE(find_field(key) != nullptr);
            CHECK(find_field(key)->use == Field::Use::setting);
        }
        if (!field.proves->after.empty()) {
            REQUIRE(find_field(field.proves->after) != nullptr);
            CHECK(find_field(field.proves->after)->shape.kind == Shape::Kind::flag);
            CHECK(find_field(field.proves->after)->proves != nullptr);
        }
        named.insert(field.proves->finding);
    }
    const auto rows = finding_group::readiness.rows;
    named.insert(&findings::port_down);  // a setting is wrong there: for doctor alone
    CHECK(named == std::set<const FindingRow*>(rows.begin(), rows.end()));
}

TEST_CASE("readiness: what a plan needs is read without it") {
    const DesiredState desired_values = stated();
    const Scope scope = scope_of(desired_values, working());
    CHECK_FALSE(scope.objects.contains(Object::rdma_port));
    CHECK_FALSE(scope.objects.contains(Object::active_mtu));
    CHECK(proofs_of(desired_values).contains(Object::active_mtu));
    CHECK(proofs_of(hosts::desired_values({hosts::desired("pause.rx", false)})).empty());
}

TEST_CASE("readiness: a carrier that an apply cost is brought back") {
    const Ran run = ran(working(), hosts::desired_values({hosts::desired("pause.rx", false)}),
                        [](Port& port) { port.link->carrier = false; });
    CHECK(run.report.status == Status::brought_back);
    CHECK(ids(run.report.remaining.findings) == Ids{"no-carrier"});
    CHECK(run.took >= std::chrono::seconds(30));
    CHECK(run.as_before);
}

TEST_CASE("readiness: without a carrier before, what is written stays, after 5 s") {
    State before = working();
    before.ports[0].link->carrier = false;
    before.ports[0].rdma_port->state = "DOWN";
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("up", true), hosts::desired("pause.rx", false)});
    const Ran run = ran(before, desired_values, [](Port&) {});
    CHECK(run.report.status == Status::differs);
    CHECK(ids(run.report.remaining.findings) == Ids{"no-carrier"});
    CHECK(run.took >= std::chrono::seconds(5));
    CHECK(run.took < std::chrono::seconds(8));
    CHECK_FALSE(run.as_before);
    const Ran patient =
        ran(before, desired_values, [](Port&) {},
            {.wait = std::chrono::seconds(1), .wait_for_others = std::chrono::seconds(1)});
    CHECK(patient.took < std::chrono::seconds(4));
    CHECK(patient.report.status == Status::differs);
}

TEST_CASE("readiness: a carrier that comes meanwhile is ready") {
    State before = working();
    before.ports[0].link->carrier = false;
    const Ran run =
        ran(before,
            hosts::desired_values({hosts::desired("up", true), hosts::desired("pause.rx", false)}),
            [](Port& port) { port.link->carrier = true; });
    CHECK(run.report.status == Status::done);
    CHECK(run.took < std::chrono::seconds(5));
}

TEST_CASE("readiness: what an apply should have brought, and did not, is brought back") {
    State before = working();
    before.ports[0].link->mtu = 1500;
    before.ports[0].active_mtu->bytes = 1024;
    const DesiredState mtu = hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000})});
    CHECK(ran(before, mtu, [](Port&) {}).report.status == Status::done);
    const Change small = [](Port& port) {
        if (port.active_mtu) port.active_mtu->bytes = 1024;
    };
    const Ran stuck = ran(before, mtu, small);
    CHECK(stuck.report.status == Status::brought_back);
    CHECK(ids(stuck.report.remaining.findings) == Ids{"rdma-mtu"});
    CHECK(stuck.as_before);
    // Without a carrier nobody can tell.
    before.ports[0].link->carrier = false;
    CHECK(ran(before, mtu, small).report.status == Status::done);

    before = working();
    before.ports[0].addresses->erase(before.ports[0].addresses->begin());
    std::erase_if(*before.ports[0].routes, [](const Route& route) { return !route.to.ip.v6; });
    before.ports[0].rdma_port->gids->pop_back();
    const DesiredState address = hosts::desired_values(
        {hosts::desired("addresses", std::string("192.0.2.1/24"), "192.0.2.1")});
    const Ran gidless = ran(before, address, [](Port& port) {
        if (port.rdma_port) port.rdma_port->gids = std::vector{gid(kOwn)};
    });
    CHECK(gidless.report.status == Status::brought_back);
    CHECK(ids(gidless.report.remaining.findings) == Ids{"no-gid"});
}

TEST_CASE("readiness: an RDMA port that was not ACTIVE before is left, and told") {
    State before = working();
    before.ports[0].rdma_port->state = "DOWN";
    const Ran run =
        ran(before,
            hosts::desired_values({hosts::desired("up", true), hosts::desired("pause.rx", false)}),
            [](Port&) {});
    CHECK(run.report.status == Status::differs);
    CHECK(ids(run.report.remaining.findings) == Ids{"rdma-not-active"});
}

TEST_CASE("readiness: with settings alone it is reported, and no more") {
    const Ran run = ran(working(), hosts::desired_values({hosts::desired("pause.rx", false)}),
                        [](Port& port) { port.link->carrier = false; }, {.settings_only = true});
    CHECK(run.report.status == Status::done);
    CHECK(run.took < std::chrono::seconds(5));
    REQUIRE(ids(run.report.remaining.findings) == Ids{"no-carrier"});
    CHECK(satisfied(run.report.remaining));
}

TEST_CASE("readiness: a plan without steps is left, and is not green") {
    State state = working();
    state.ports[0].link->carrier = false;
    StateFile kernel(state);
    const DesiredState desired_values = hosts::desired_values({hosts::desired("up", true)});
    const Plan plan = hosts::plan(kernel, desired_values);
    REQUIRE(satisfied(plan));
    CHECK(leave_as_is(kernel, desired_values, plan, {}).status == Status::differs);
    CHECK(leave_as_is(kernel, desired_values, plan, {.settings_only = true}).status ==
          Status::done);
    StateFile good(working());
    CHECK(leave_as_is(good, desired_values, hosts::plan(good, desired_values), {}).status ==
          Status::done);
}

TEST_CASE("readiness: what a daemon lacks keeps nothing else from being applied") {
    State before = working();
    before.ports.push_back(hosts::whole_host());
    before.ports.back().tuned = "balanced";
    DesiredState desired_values = hosts::desired_values({hosts::desired("pause.rx", false)});
    desired_values.ports.emplace_back(kHost);
    desired_values.desired_values.push_back(
        hosts::desired("host.tuned", std::string("network-latency"), "", std::string(kHost)));
    const Ran run = ran(before, desired_values, [](Port&) {});
    CHECK(run.report.status == Status::differs);
    REQUIRE(run.report.remaining.findings.size() == 1);
    CHECK(run.report.remaining.findings[0].id == "verified-only");
    CHECK(run.report.remaining.findings[0].remedy == "tuned-adm profile network-latency");
    CHECK_FALSE(run.as_before);
}

TEST_CASE("readiness: an optional desired value that is not held is counted") {
    StateFile kernel(working());
    Desired cable = hosts::desired("rdma.traffic_class", std::uint64_t{106});
    cable.optional = true;
    DesiredState desired_values = stated();
    desired_values.desired_values.push_back(cable);
    const Plan plan = hosts::plan(kernel, desired_values);
    const Tally counted = tally(desired_values, plan.before);
    CHECK(counted.desired == 5);
    CHECK(counted.held == 4);
    CHECK(counted.optional == 1);
}

}  // namespace readiness_test
