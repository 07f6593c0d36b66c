// SPDX-License-Identifier: Apache-2.0
#include "core/plan/await.hpp"

#include <doctest/doctest.h>

#include "tests/unit/hosts.hpp"

namespace await_test {

using namespace core;

namespace {

/// What is missed after an address was written to a port that has these GIDs.
std::vector<Finding> missed(const std::vector<Gid>& gids) {
    State state = hosts::host("mlx5_core");
    Port& port = state.ports[0];
    port.link->up = port.link->carrier = true;
    port.addresses = std::vector<Address>{{.ip = *parse_ip("192.0.2.1"), .prefix_length = 24},
                                          {.ip = *parse_ip("fe80::1"), .by_kernel = true}};
    port.rdma_port = RdmaPort{.state = "ACTIVE", .physical_state = {}, .gids = gids};
    Plan plan;
    plan.before = plan.predicted = state;
    plan.steps.push_back({.port = port.name, .object = Object::addresses});
    StateFile kernel(state);
    Recorder nothing;
    return await_all(kernel, plan, std::chrono::milliseconds(200), nothing);
}

Gid gid(const std::string& text, const std::string& port) {
    return {.index = 0, .gid = text, .type = "RoCE v2", .port = port};
}

}  // namespace

TEST_CASE("await: an address of a RoCE port has a GID, or a note tells it has none") {
    const Gid own = gid("fe80:0000:0000:0000:0000:0000:0000:0001", "ens1f0");
    const Gid ipv4 = gid("0000:0000:0000:0000:0000:ffff:c000:0201", "ens1f0");
    CHECK(missed({own, ipv4}).empty());
    const std::vector<Finding> without = missed({own});
    REQUIRE(without.size() == 1);
    CHECK(without[0].level == Finding::Level::note);
    CHECK(without[0].text.find("none of them is 192.0.2.1") == 0);
}

TEST_CASE("await: GIDs that are of no netdev are not waited for") {
    CHECK(missed({gid("0200:5e00:0000:0000:0000:0000:0000:0000", "")}).empty());
    CHECK(missed({}).empty());
}

}  // namespace await_test
