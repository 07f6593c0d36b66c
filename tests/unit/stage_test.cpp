// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace stage_test {

using namespace core;

// A reload ends a stage: what comes after it is planned from what is there then.

namespace {

/// A host whose NIC comes up as after a reboot once it was reported whether to do RoCE.
struct Reloading final : hosts::PassThrough {
    State fresh = hosts::host("mlx5_core");
    unsigned reloads = 0;
    Object refused = Object::device;
    explicit Reloading(const State& now)
        : PassThrough(now, {.before_write = [this](const Step& step) { return reload(step); }}) {}
    std::optional<Refusal> reload(const Step& step) {
        if (step.object == refused) return Refusal{.code = 5, .text = "Input/output error"};
        if (step.object != Object::devlink) return std::nullopt;
        ++reloads;
        State now = fresh;
        now.ports[0].devlink = hosts::read_all(own()).ports[0].devlink;
        own() = StateFile(now);
        return std::nullopt;
    }
};

State in_use() {
    State state = hosts::host("mlx5_core");
    Port& port = state.ports[0];
    port.link->mtu = 4200;
    port.ring->rx = 4096;
    port.app->entries = {{AppEntry::dscp, 48, 6}};
    port.addresses->push_back({.ip = *parse_ip("192.0.2.7"), .prefix_length = 24});
    return state;
}

DesiredState all_desired() {
    return hosts::desired_values({hosts::desired("rdma.enable_roce", false),
                                  hosts::desired("mtu", std::uint64_t{9000}),
                                  hosts::desired("pfc.priorities", Numbers{3})});
}

}  // namespace

TEST_CASE("stage: the plan ends with the reload, and says that the rest comes then") {
    Reloading kernel(in_use());
    const Plan plan = hosts::plan(kernel, all_desired());
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::reload);
    CHECK(feasible(plan));
    CHECK(std::ranges::any_of(plan.findings, [](const Finding& finding) {
        return finding.id == "stage" && finding.text.find("2 desired values") != std::string::npos;
    }));
    CHECK(commands(plan) ==
          Commands{"devlink dev param set pci/0000:3b:00.0 name enable_roce value false cmode "
                   "driverinit",
                   "devlink dev reload pci/0000:3b:00.0"});
}

TEST_CASE("stage: what the reload took away and nobody stated to be absent is put back") {
    Reloading kernel(in_use());
    const Report report = hosts::apply(kernel, all_desired());
    CHECK(report.status == Status::done);
    for (const Finding& finding : report.surprises)
        CHECK(finding.key.starts_with("buffer."));  // firmware sizes them by MTU and PFC
    CHECK(kernel.reloads == 1);
    State want = in_use();
    want.ports[0].devlink->on = false;
    want.ports[0].link->mtu = 9000;
    want.ports[0].pfc->priorities = 0x08;
    State now = hosts::read_all(kernel);
    now.ports[0].buffer = want.ports[0].buffer;
    CHECK(hosts::difference(want, now) == "");
    CHECK(satisfied(hosts::plan(kernel, all_desired())));
}

TEST_CASE("stage: a desired value that fails after the reload brings all back, by another reload") {
    Reloading kernel(in_use());
    const State before = hosts::read_all(kernel);
    kernel.refused = Object::pfc;
    const Report report = hosts::apply(kernel, all_desired());
    CHECK(report.status == Status::brought_back);
    CHECK(kernel.reloads == 2);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("stage: what nobody could hold after the reload either is reported before it") {
    Reloading kernel(in_use());
    DesiredState desired_values = all_desired();
    desired_values.desired_values.push_back(hosts::desired("dscp.rewrite", std::uint64_t{26}, "3"));
    CHECK_FALSE(feasible(hosts::plan(kernel, desired_values)));
    desired_values.desired_values.back() = hosts::desired("rdma.default_tos", std::uint64_t{106});
    CHECK(feasible(hosts::plan(kernel, desired_values)));  // the RDMA device may come
}

TEST_CASE("rdma.enable_roce: what is stored for the next reset ends no stage") {
    StateFile kernel(hosts::host("bnxt_en"));
    const Plan plan = hosts::plan(kernel, all_desired());
    REQUIRE(plan.steps.size() == 3);
    CHECK(plan.steps[0].disruption == Disruption::reboot);
    CHECK(commands(plan).front() ==
          "devlink dev param set pci/0000:3b:00.0 name enable_roce value false cmode permanent");
}

}  // namespace stage_test
