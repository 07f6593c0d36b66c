// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"

namespace rdma_name_test {

using namespace core;

namespace {

Desired name(const std::string& text) {
    return hosts::desired("rdma.name", text);
}

State with_device(const std::string& device) {
    State state = hosts::host("mlx5_core");
    state.ports[0].rdma_link = RdmaLink{.device = device, .index = 1};
    state.ports[0].cm_directory = true;
    state.ports[0].cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 104};
    return state;
}

std::string objection(const State& state, std::vector<Desired> desired_values) {
    StateFile kernel(state);
    std::string out;
    for (const Finding& finding :
         hosts::plan(kernel, hosts::desired_values(std::move(desired_values))).findings)
        out += finding.text;
    return out;
}

}  // namespace

TEST_CASE("rdma.name: the directory of rdma_cm goes along, and all comes back") {
    StateFile kernel(with_device("mlx5_0"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values({name("roce0")});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Commands{"rmdir /sys/kernel/config/rdma_cm/mlx5_0",
                                     "rdma dev set mlx5_0 name roce0",
                                     "mkdir /sys/kernel/config/rdma_cm/roce0"});
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    const Port port = hosts::read_all(kernel).ports[0];
    CHECK(port.rdma_link->device == "roce0");
    CHECK(port.cm_defaults->tos == 104);
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("rdma.name: a directory of the driver's own goes along as well") {
    State state = hosts::host("bnxt_en");
    state.ports[0].rdma_link = RdmaLink{.device = "bnxt_re0", .index = 1};
    state.ports[0].ecn_directory = true;
    StateFile kernel(state);
    CHECK(commands(hosts::plan(kernel, hosts::desired_values({name("roce0")}))) ==
          Commands{"rmdir /sys/kernel/config/bnxt_re/bnxt_re0", "rdma dev set bnxt_re0 name roce0",
                   "mkdir /sys/kernel/config/bnxt_re/roce0"});
}

TEST_CASE("rdma.name: steps after it, and the way back from them, find the device by its name") {
    StateFile kernel(with_device("mlx5_0"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values = hosts::desired_values(
        {name("roce0"), hosts::desired("rdma.default_tos", std::uint64_t{106})});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan).back() ==
          "echo 106 > /sys/kernel/config/rdma_cm/roce0/ports/1/default_roce_tos");
    kernel.refuse(Object::cm_defaults, {.code = 5, .text = "Input/output error"}, 1);
    CHECK(core::apply(kernel, desired_values, plan).status == Status::brought_back);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("rdma.name: of a device that is not there, or a name that another has") {
    CHECK(objection(hosts::host("mlx5_core"), {name("roce0")}) ==
          "the port has no RDMA device, desired roce0 (test.json:1)");
    State two = with_device("mlx5_0");
    two.ports.push_back(hosts::port("mlx5_core", "ens1f1"));
    two.ports[1].rdma_link = RdmaLink{.device = "mlx5_1", .index = 2};
    CHECK(objection(two, {name("mlx5_1")}).ends_with("File exists: the RDMA device of ens1f1"));
}

TEST_CASE("rdma.name: of a soft device it is that of rdma.link") {
    const Desired link = hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}});
    CHECK_FALSE(objection(hosts::host("generic"), {link, name("roce0")}).empty());
    CHECK(objection(hosts::host("generic"), {link, name("rxe0")}).empty());
}

}  // namespace rdma_name_test
