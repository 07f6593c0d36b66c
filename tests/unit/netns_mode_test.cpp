// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>

#include "core/model/finding_names.hpp"
#include "core/plan/apply.hpp"
#include "netlink/rdma/codecs.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

// Ports in network namespaces of their own.

namespace netns_mode_test {

using namespace core;

namespace {

/// A port without an RDMA device in a namespace of its own.
State in_namespace(const std::string& mode, const std::string& kernel) {
    State state = hosts::host("generic");
    state.host.kernel = kernel;
    state.ports[0].rdma_link = RdmaLink{.device = "", .netns = mode};
    return state;
}

const Desired kRxe = hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}});

/// What is said of the desired value in this state, of this level.
std::string said(const State& state, Finding::Level level) {
    StateFile kernel(state);
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::desired_values({kRxe})).findings)
        if (finding.level == level) out += finding.text + "; ";
    return out;
}

}  // namespace

TEST_CASE("rdma_link: in the mode exclusive no soft device is planned but in the first namespace") {
    for (const char* kernel : {"6.1.0", "6.12.117", "7.3.4"}) {
        CAPTURE(kernel);
        CHECK(said(in_namespace("exclusive", kernel), Finding::Level::failure)
                  .find("a soft device comes into the first network namespace") !=
              std::string::npos);
        CHECK(said(in_namespace("shared", kernel), Finding::Level::failure).empty());
        CHECK(said(in_namespace("", kernel), Finding::Level::failure).empty());
    }
    StateFile kernel(in_namespace("exclusive", "7.3.4"));
    const Plan plan = hosts::plan(kernel, hosts::desired_values({kRxe}));
    CHECK_FALSE(feasible(plan));
    CHECK(plan.steps.empty());
}

TEST_CASE("rdma_link: that rxe before Linux 7.1 does not reach another namespace is said") {
    const auto notes = [](const std::string& mode, const std::string& kernel) {
        return said(in_namespace(mode, kernel), Finding::Level::note)
                   .find("no packet of it leaves by the port") != std::string::npos;
    };
    CHECK(notes("shared", "6.12.117+deb13-amd64"));
    CHECK(notes("shared", "7.0.13"));
    CHECK_FALSE(notes("shared", "7.1.0"));
    CHECK_FALSE(notes("shared", "7.3.4+deb13-amd64"));
    CHECK_FALSE(notes("", "6.12.117"));
}

TEST_CASE("rdma_link: a name that a device of another namespace has is not planned") {
    State state = in_namespace("shared", "7.3.4");
    state.ports[0].rdma_link->elsewhere = {"mlx5_0", "rxe0"};
    CHECK(said(state, Finding::Level::failure)
              .find("an RDMA device rxe0 is there already, on no port of this network namespace") !=
          std::string::npos);
    state.ports[0].rdma_link->elsewhere = {"mlx5_0"};
    CHECK(said(state, Finding::Level::failure).empty());
}

TEST_CASE("rdma_link: the namespace that the kernel began with has files that no other has") {
    const OwnRoot root;
    const netlink::Machine machine(root.path());
    CHECK(netlink::is_first_netns(machine));  // nothing tells
    std::ofstream(root.file("/proc/sys/net/core/somaxconn")) << "4096\n";
    CHECK_FALSE(netlink::is_first_netns(machine));
    std::ofstream(root.file("/proc/sys/net/core/netdev_budget")) << "300\n";
    CHECK(netlink::is_first_netns(machine));
}

}  // namespace netns_mode_test
