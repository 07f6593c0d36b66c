// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/unit/hosts.hpp"

// What is reported where a device speaks no RoCE, or the kernel cannot be told DCB of it.

namespace no_roce_test {

using namespace core;

namespace {

State with_device(const std::string& driver, const std::string& protocol) {
    State state = hosts::host(driver);
    Port& port = state.ports[0];
    port.rdma_link = RdmaLink{.device = "rocep1", .index = 1, .protocol = protocol};
    port.cm_directory = true;
    port.cm_defaults = CmDefaults{.mode = "IB/RoCE v1", .tos = 0};
    return state;
}

Desired derived(Desired desired) {
    desired.origin.derived_from = "roce";
    return desired;
}

std::string failures(const State& state, const std::vector<Desired>& all_desired) {
    StateFile kernel(state);
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::desired_values(all_desired)).findings)
        if (finding.level == Finding::Level::failure) out += finding.text + "; ";
    return out;
}

}  // namespace

TEST_CASE("rdma_link, cm_defaults: a device that speaks iWARP gets no RoCE v2, and says so") {
    const Desired mode = derived(hosts::desired("rdma.default_mode", std::string("RoCE v2")));
    CHECK(failures(with_device("ice", "iw"), {mode})
              .find("the RDMA device rocep1 of ice speaks iWARP, and not RoCE v2") !=
          std::string::npos);
    CHECK(failures(with_device("ice", "roce"), {mode}).empty());
    CHECK(failures(with_device("ice", ""), {mode}).empty());  // older kernels do not say
    State bare = hosts::host("generic");
    bare.ports[0].rdma_link = RdmaLink{};
    const Desired siw = hosts::desired("rdma.link", Record{{"type", "siw"}, {"name", "siw0"}});
    const Desired rxe = hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}});
    CHECK(failures(bare, {siw, mode}).find("speaks iWARP") != std::string::npos);
    CHECK(failures(bare, {rxe, mode}).empty());
}

TEST_CASE("drivers: DCB of ionic is left to the vendor's tool, and that is said") {
    State state = hosts::host("ionic");
    Port& port = state.ports[0];
    port.pfc.reset();
    port.refused[Object::pfc] = {.code = EOPNOTSUPP, .text = "Operation not supported"};
    const Desired stated = hosts::desired("pfc.priorities", Numbers{3});
    CHECK(failures(state, {stated}).find("the vendor's nicctl sets PFC") != std::string::npos);
    CHECK(failures(state, {derived(stated)}).empty());
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, hosts::desired_values({derived(stated)}));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].level == Finding::Level::note);
    CHECK(plan.findings[0].text.starts_with("the driver ionic has no DCB"));
}

}  // namespace no_roce_test
