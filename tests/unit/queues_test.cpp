// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>

#include "core/plan/plan.hpp"
#include "tests/unit/hosts.hpp"

using namespace core;

namespace {

/// What a plan for one wish says against it; empty where it is feasible.
std::string objection(const std::string& driver, const Wish& wish) {
    StateFile kernel(hosts::host(driver));
    std::string out;
    for (const Finding& finding : hosts::plan(kernel, hosts::wishes({wish})).findings)
        out += finding.text;
    return out;
}

}  // namespace

TEST_CASE("rings: a size outside of what the port takes is refused with what it takes") {
    const auto why = [](const std::string& driver, std::uint64_t size) {
        return objection(driver, hosts::wish("ring.tx", size));
    };
    CHECK(why("ice", 8192) ==
          "expected 8192, found 1024 (test.json:1): the port takes 64..4096 "
          "for ring.tx");
    CHECK(why("hns3", 64).ends_with("the port takes 72..4096 for ring.tx"));
    CHECK(why("mlx5_core", 32).ends_with("the port takes 64..4096 for ring.tx"));
    CHECK(why("bnxt_en", 18).ends_with("the port takes 19..4096 for ring.tx"));
    CHECK(why("generic", 1).empty());
}

TEST_CASE("rings: a size that the driver would round is refused with what it would become") {
    const auto why = [](const std::string& driver, std::uint64_t size) {
        return objection(driver, hosts::wish("ring.rx", size));
    };
    CHECK(why("mlx5_core", 1000)
              .ends_with("mlx5_core takes powers of two for ring.rx, and would make it 1024"));
    CHECK(why("ice", 1000)
              .ends_with("ice takes multiples of 32 for ring.rx, and would make it 1024"));
    CHECK(why("hns3", 1001)
              .ends_with("hns3 takes multiples of 8 for ring.rx, and would make it 1008"));
    CHECK(why("bnxt_en", 1001).empty());
    CHECK(why("ice", 2048).empty());
}

TEST_CASE("rings: a port without a ring of the kind says so") {
    State state = hosts::host("ice");
    state.ports[0].ring->tx.reset();
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, hosts::wishes({hosts::wish("ring.tx", Value(512UL))}));
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].text == "the driver reports no ring.tx, wished 512 (test.json:1)");
}

TEST_CASE("rings: one write for both, spelled as ethtool takes it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const Plan plan = hosts::plan(kernel, hosts::wishes({hosts::wish("ring.rx", Value(8192UL)),
                                                         hosts::wish("ring.tx", Value(4096UL))}));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::queues);
    CHECK(commands(plan) == Commands{"ethtool --set-ring ens1f0 rx 8192 tx 4096"});
}
