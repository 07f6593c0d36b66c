// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/model/finding_names.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/plan/undo.hpp"
#include "tests/unit/hosts.hpp"

namespace modules_test {

using namespace core;

namespace {

/// A host on which nobody loaded rdma_cm, as netlink/files/cm_defaults.cpp reads it.
State without_cm() {
    State state = hosts::host("mlx5_core");
    state.ports.push_back(hosts::whole_host());
    state.ports[1].absent[Object::modules] = {"rdma_cm", "rdma_ucm", "rds",
                                              "nothing", "mlx5_ib",  "irdma"};
    state.ports[1].absent[Object::sysctl] = {"net.rds.none"};
    Port& port = state.ports[0];
    port.rdma_link = RdmaLink{.device = "mlx5_0", .index = 1};
    port.cm_directory = false;
    port.cm_defaults.reset();
    port.refused[Object::cm_defaults] = cm_directory::no_module();
    return state;
}

std::vector<std::string> steps(const Plan& plan) {
    std::vector<std::string> out;
    for (const Step& step : plan.steps)
        out.emplace_back(row_of(step.object).name);
    return out;
}

std::string stage_of(const Plan& plan) {
    for (const Finding& finding : plan.findings)
        if (finding.id == findings::stage) return finding.port + ": " + finding.text;
    return {};
}

const Desired kTos = hosts::desired("rdma.default_tos", std::uint64_t{106});

Desired module(const std::string& name) {
    return hosts::desired("host.modules", name);
}

}  // namespace

TEST_CASE(
    "cm_directory: where configfs is not to be seen a directory is unknown, and no desired value "
    "holds") {
    State state = without_cm();
    state.ports[0].refused.clear();
    state.ports[0].unknown = {Object::cm_directory, Object::cm_defaults};
    StateFile kernel(state);
    for (const bool all_desired : {true, false}) {
        CAPTURE(all_desired);
        const Plan plan = hosts::plan(
            kernel, hosts::desired_values({hosts::desired("rdma.cm_directory", all_desired)}));
        REQUIRE(plan.steps.size() == 1);
        CHECK(plan.steps[0].changes[0].before_unknown);
    }
    const Plan plan = hosts::plan(kernel, hosts::desired_values({kTos}));
    CHECK(feasible(plan));
    CHECK(steps(plan) == std::vector<std::string>{"cm_directory", "cm_defaults"});
    CHECK(commands(plan).front() == "mount -t configfs configfs /sys/kernel/config");
}

TEST_CASE("modules: what needs rdma_cm is planned behind the module that brings it") {
    for (const char* name : {"rdma_cm", "rdma_ucm"}) {
        CAPTURE(name);
        StateFile kernel(without_cm());
        const DesiredState desired_values = hosts::desired_values({kTos, module(name)});
        const Plan plan = hosts::plan(kernel, desired_values);
        CHECK(feasible(plan));
        CHECK(stage_of(plan) == "");
        CHECK(steps(plan) == std::vector<std::string>{"modules", "cm_directory", "cm_defaults"});
    }
    StateFile kernel(without_cm());
    for (const DesiredState& desired_values :
         {hosts::desired_values({kTos}), hosts::desired_values({kTos, module("nothing")}),
          hosts::desired_values({hosts::desired("rdma.cm_directory", true)})}) {
        const Plan plan = hosts::plan(kernel, desired_values);
        CHECK_FALSE(feasible(plan));
        CHECK(plan.findings.back().text.find("run modprobe rdma_cm") != std::string::npos);
    }
}

TEST_CASE(
    "modules: a run that loads rdma_cm is undone as a whole, the directory before the module") {
    StateFile kernel(without_cm());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values({kTos, module("rdma_cm")});
    const Plan plan = hosts::plan(kernel, desired_values);
    // What cannot be known before is noted while writing; the module's default is no ToS.
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    const Plan back = hosts::plan(kernel, undo_profile(plan));
    CHECK(steps(back) == std::vector<std::string>{"cm_directory", "modules"});
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("modules: a parameter that a module may bring is planned once it is loaded") {
    const Desired parameter = hosts::desired("host.sysctl", std::string("65536"), "net.rds.none");
    StateFile kernel(without_cm());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values(
        {parameter, hosts::desired("host.sysctl", std::string("70"), "vm.swappiness"),
         module("rds")});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(feasible(plan));
    CHECK(steps(plan) == std::vector<std::string>{"modules", "sysctl"});
    CHECK(stage_of(plan) == std::string(kHost) +
                                ": what the modules bring cannot be foretold: apply loads them and "
                                "then plans the rest, 1 desired values");
    // It did not come: all is as before.
    const Report report = core::apply(kernel, desired_values, plan);
    CHECK(report.status == Status::brought_back);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    // One that is loaded already brings nothing more.
    State loaded = without_cm();
    loaded.ports.back().modules->insert("rds");
    StateFile other(loaded);
    CHECK_FALSE(feasible(hosts::plan(other, desired_values)));
}

TEST_CASE(
    "modules: a parameter that every host has comes with none, so that a misspelt one is "
    "reported") {
    State state = without_cm();
    for (const char* name : {"vm.swapiness", "net.core.rmem_maximum", "net.ipv4.tcp_no",
                             "net.ipv4.conf.all.no", "kernel.no", "fs.no"}) {
        CAPTURE(name);
        state.ports[1].absent[Object::sysctl] = {name};
        StateFile kernel(state);
        const Desired parameter = hosts::desired("host.sysctl", std::string("1"), name);
        CHECK_FALSE(
            feasible(hosts::plan(kernel, hosts::desired_values({parameter, module("rds")}))));
    }
}

TEST_CASE("modules: what was read while a run wrote is as it was once the module is gone again") {
    StateFile kernel(without_cm());
    const State before = hosts::read_all(kernel);
    const Plan plan = hosts::plan(kernel, hosts::desired_values({kTos, module("rdma_cm")}));
    DesiredState back = undo_profile(plan);
    // As the journal has it: noted when the directory was there.
    back.desired_values.push_back(hosts::desired("rdma.default_tos", std::uint64_t{0}));
    REQUIRE(core::apply(kernel, hosts::desired_values({kTos, module("rdma_cm")}), plan).status ==
            Status::done);
    CHECK(hosts::apply(kernel, back).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    CHECK(satisfied(hosts::plan(kernel, back)));
}

TEST_CASE("modules: what a module was needed for goes before it, on ports and on the host") {
    State state = without_cm();
    state.ports[0].rdma_link.emplace();
    state.ports[0].refused.clear();
    state.ports[0].cm_directory.reset();
    state.ports[1].modules->insert("rds");
    state.ports[1].sysctl.emplace()["net.rds.none"] = "1";
    StateFile kernel(state);
    const Plan plan = hosts::plan(
        kernel, hosts::desired_values(
                    {hosts::no_desired("host.modules", "rds"),
                     hosts::desired("host.sysctl", std::string("2"), "net.rds.none"),
                     hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}})}));
    REQUIRE_FALSE(plan.steps.empty());
    CHECK(steps(plan).back() == "modules");
}

TEST_CASE("modules: what came with a module that others hold meanwhile was not written") {
    State before = without_cm();
    State after = before;
    after.ports[1].sysctl.emplace(before.ports[1].sysctl.value_or(Sysctl{}))["net.rds.none"] = "1";
    CHECK(compare(before, after).empty());
    // Where one is there that every host has, or another value, somebody wrote it.
    State changed = after;
    changed.ports[1].sysctl->insert_or_assign("net.rds.none", "2");
    CHECK(compare(after, changed).size() == 1);
    CHECK(compare(after, before).size() == 1);
}

TEST_CASE("modules: a port without an RDMA device lacks that, and not rdma_cm") {
    State state = without_cm();
    state.ports[0].rdma_link.emplace();
    state.ports[0].cm_directory.reset();
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, hosts::desired_values({kTos}));
    REQUIRE_FALSE(plan.findings.empty());
    CHECK(plan.findings[0].text == "the port has no RDMA device, desired 106 (test.json:1)");
    CHECK(plan.findings[0].level == Finding::Level::failure);
    // One that the plan makes needs the module all the same.
    const Plan soft = hosts::plan(
        kernel,
        hosts::desired_values(
            {kTos, hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}})}));
    CHECK_FALSE(feasible(soft));
    CHECK(soft.findings[0].text.find("run modprobe rdma_cm") != std::string::npos);
}

TEST_CASE("modules: the NIC's own one brings its RDMA device, another does not") {
    State state = without_cm();
    state.ports[0].rdma_link.emplace();
    state.ports[0].cm_directory.reset();
    state.ports[0].refused.clear();
    StateFile kernel(state);
    const Plan own = hosts::plan(kernel, hosts::desired_values({kTos, module("mlx5_ib")}));
    CHECK(feasible(own));
    CHECK(stage_of(own).find("1 desired values") != std::string::npos);
    const Plan other = hosts::plan(kernel, hosts::desired_values({kTos, module("irdma")}));
    CHECK_FALSE(feasible(other));
}

}  // namespace modules_test
