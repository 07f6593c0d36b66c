// SPDX-License-Identifier: Apache-2.0
#include "core/profile/roce_intent.hpp"

#include <doctest/doctest.h>

#include "core/profile/derivation.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/offline.hpp"
#include "tests/unit/profiles.hpp"

namespace intent_test {

using namespace core;

namespace {

Intent intent(const std::string& roce) {
    Problems problems;
    const Node node = parse_tree(roce, "f", problems);
    std::optional<Intent> read = read_intent(node, "/roce", problems);
    REQUIRE(problems.empty());
    REQUIRE(read);
    return *read;
}

std::string derived(const DesiredValues& derived, std::string_view key,
                    const std::string& element = {}) {
    for (const Desired& desired : derived.desired_values)
        if (desired.field->key == key && desired.element == element) return text(*desired.value);
    return "not derived";
}

}  // namespace

TEST_CASE("intent: an empty one stands for what the vendors recommend") {
    const DesiredValues all = derive(intent("{}"), driver_named("mlx5_core"));
    CHECK(derived(all, "up") == "on");
    CHECK(derived(all, "dcbx.mode") == "host");
    CHECK(derived(all, "pause.rx") == "off");
    CHECK(derived(all, "pause.tx") == "off");
    CHECK(derived(all, "ets.traffic_class") == "[0,1,2,3,4,5,6,7]");
    CHECK(derived(all, "ets.algorithm") == "[ets,ets,ets,ets,ets,ets,strict,ets]");
    CHECK(derived(all, "ets.bandwidth") == "[50,0,0,50,0,0,0,0]");
    CHECK(derived(all, "pfc.priorities") == "[3]");
    CHECK(derived(all, "dscp.trust") == "dscp");
    CHECK(derived(all, "dscp.map", "26") == "3");
    CHECK(derived(all, "dscp.map", "48") == "6");
    CHECK(derived(all, "app.udp", "4791") == "not derived");
    CHECK(derived(all, "rdma.default_mode") == "RoCE v2");
    CHECK(derived(all, "rdma.default_tos") == "106");
    REQUIRE(all.exact.size() == 1);
    CHECK(all.exact[0].only == Value(std::uint64_t{3}));
}

TEST_CASE(
    "intent: nothing that nobody lists stays in the lossless priority, where it stays unseen") {
    for (const char* roce : {"{}", R"({"priority": 0, "cnp": {"priority": 1}})",
                             R"({"priority": 6, "dscp": 48, "cnp": null})"}) {
        INFO(roce);
        const Intent read = intent(roce);
        const DesiredValues all = derive(read, driver_named("mlx5_core"));
        unsigned listed = 0;
        for (const Desired& desired : all.desired_values) {
            if (desired.field->key != "dscp.map") continue;
            ++listed;
            const bool own = desired.element == std::to_string(read.dscp.value);
            CHECK((desired.value == Value(read.priority.value)) == own);
        }
        CHECK(listed == 64);
    }
    const DesiredValues all = derive(intent("{}"), driver_named("mlx5_core"));
    CHECK(derived(all, "dscp.map", "24") == "0");
    CHECK(derived(all, "dscp.map", "31") == "0");
    CHECK(derived(all, "dscp.map", "8") == "1");
    CHECK(derived(all, "dscp.map", "63") == "7");
    // Where the driver itself resets the others, or lists them, the two code points say it all.
    CHECK(derived(derive(intent("{}"), driver_named("hns3")), "dscp.map", "24") == "not derived");
}

TEST_CASE("intent: drivers with few classes put everything else in class 0") {
    const DesiredValues all = derive(intent(R"({"bandwidth": 70})"), driver_named("bnxt_en"));
    CHECK(derived(all, "ets.traffic_class") == "[0,0,0,1,0,0,2,0]");
    CHECK(derived(all, "ets.algorithm") == "[ets,ets,strict,strict,strict,strict,strict,strict]");
    CHECK(derived(all, "ets.bandwidth") == "[30,70,0,0,0,0,0,0]");
    CHECK(derived(all, "app.udp", "4791") == "3");
    CHECK(derived(all, "ecn.marking") == "on");
    CHECK(derived(derive(intent("{}"), driver_named("mlx5_core")), "ecn.marking") == "not derived");
    CHECK(derived(derive(intent(R"({"ecn": false})"), driver_named("bnxt_en")), "ecn.marking") ==
          "not derived");
}

TEST_CASE("intent: no stated lossless priority shares a class with one that may drop") {
    const auto classes = [](const std::string& roce, const char* driver, const Numbers& lossless) {
        const DesiredValues all = derive(intent(roce), driver_named(driver), lossless);
        return derived(all, "ets.traffic_class") + ' ' + derived(all, "ets.bandwidth");
    };
    // A class of its own where there are enough of them, else with RoCE.
    CHECK(classes("{}", "hns3", {3, 4}) == "[0,0,0,1,2,0,3,0] [25,50,25,0,0,0,0,0]");
    CHECK(classes(R"({"bandwidth": 99})", "hns3", {3, 4}) ==
          "[0,0,0,1,1,0,2,0] [1,99,0,0,0,0,0,0]");
    CHECK(classes("{}", "bnxt_en", {3, 4}) == "[0,0,0,1,1,0,2,0] [50,50,0,0,0,0,0,0]");
    CHECK(classes(R"({"cnp": null})", "bnxt_en", {3, 4}) ==
          "[0,0,0,1,2,0,0,0] [25,50,25,0,0,0,0,0]");
    CHECK(classes("{}", "bnxt_en", {}) == "[0,0,0,1,0,0,2,0] [50,50,0,0,0,0,0,0]");
    // Ordinary traffic is in no lossless class.
    CHECK(classes("{}", "mlx5_core", {0, 3}) == "[0,1,2,3,4,5,6,7] [0,50,0,50,0,0,0,0]");
}

TEST_CASE("intent: without CNP, without ECN, in priority 0") {
    const DesiredValues all =
        derive(intent(R"({"priority": 0, "dscp": 10, "cnp": null, "ecn": false})"),
               driver_named("mlx5_core"));
    CHECK(derived(all, "dscp.map", "10") == "0");
    CHECK(derived(all, "dscp.map", "48") == "6");  // as any other code point
    CHECK(derived(all, "ets.bandwidth") == "[50,50,0,0,0,0,0,0]");
    CHECK(derived(all, "rdma.default_tos") == "40");
    const DesiredValues cnp =
        derive(intent(R"({"priority": 1, "cnp": {"priority": 0}})"), driver_named("mlx5_core"));
    CHECK(derived(cnp, "ets.bandwidth") == "[0,50,50,0,0,0,0,0]");
    CHECK(derived(cnp, "ets.algorithm") == "[strict,ets,ets,ets,ets,ets,ets,ets]");
}

TEST_CASE("intent: a port that trusts the VLAN tag has no code points, and marks as before") {
    const Intent read = intent(R"({"trust": "pcp"})");
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        INFO(driver.name);
        const DesiredValues all = derive(read, driver);
        CHECK(derived(all, "dscp.trust") == "pcp");
        CHECK(derived(all, "dscp.map", "26") == "not derived");
        CHECK(derived(all, "dscp.map", "48") == "not derived");
        CHECK(derived(all, "pfc.priorities") == "[3]");
        CHECK(derived(all, "rdma.default_tos") == "106");
        REQUIRE(all.exact.size() == 1);
        // Where any entry would make the port trust DSCP there is to be none.
        CHECK(all.exact[0].only.has_value() == (driver.app.trust == Driver::App::Trust::table));
        CHECK(inconsistencies(desired_by(Entry{}, read, driver).desired_values, read, std::nullopt,
                              driver)
                  .empty());
    }
    Problems problems;
    CHECK_FALSE(read_intent(parse_tree(R"({"trust": "tag"})", "f", problems), "/roce", problems));
    CHECK(text(problems.at(0)) == "f:1:11: /roce/trust: found 'tag', expected one of dscp, pcp");
}

TEST_CASE("intent: for every driver and priority the derived settings are legal and consistent") {
    for (const Driver* const driver : drivers())
        for (unsigned priority = 0; priority < kPriorities; ++priority)
            for (unsigned cnp = 0; cnp <= kPriorities; ++cnp) {
                if (cnp == priority) continue;
                INFO(driver->name, " ", priority, " ", cnp);
                std::string roce = "{\"priority\": " + std::to_string(priority) + ", \"cnp\": ";
                roce += cnp == kPriorities ? "null" : "{\"priority\": " + std::to_string(cnp) + "}";
                const Intent read = intent(roce + "}");
                const std::vector<Desired> all = desired_by(Entry{}, read, *driver).desired_values;
                for (const Desired& desired : all)
                    CHECK_FALSE(illegal(desired.field->shape, *desired.value));
                for (const Fault& fault : inconsistencies(all, read, std::nullopt, *driver)) {
                    INFO(fault.text);
                    CHECK(fault.row->id == "roce-unmarked");
                    CHECK(priority == 0);
                }
            }
}

TEST_CASE("intent: no class that shares has 0 percent where the driver refuses that") {
    for (const Driver* const row : drivers()) {
        Driver driver = *row;
        driver.ets.zero_share_refused = true;
        Port port;
        for (const Desired& desired : derive(intent("{}"), driver).desired_values)
            set_element(port, *desired.field, desired.element, desired.value);
        REQUIRE(port.ets);
        for (std::size_t i = 0; i < kPriorities; ++i)
            if (port.ets->algorithm.at(i) == Ets::shared) CHECK(port.ets->bandwidth.at(i) > 0);
    }
}

TEST_CASE("intent: the origin is the line of the key, or of roce where it is not stated") {
    const Intent read = intent("{\n  \"cnp\": {\n    \"dscp\": 40 },\n  \"dscp\": 34 }");
    CHECK(text(read.dscp.origin) == "derived from roce.dscp (f:4)");
    CHECK(text(read.priority.origin) == "derived from roce.priority (f:1)");
    CHECK(text(read.cnp->dscp.origin) == "derived from roce.cnp.dscp (f:3)");
    CHECK(text(read.cnp->priority.origin) == "derived from roce.cnp.priority (f:2)");
}

TEST_CASE("intent: bandwidth leaves something for the others, and bad keys are said") {
    Problems problems;
    const Node node =
        parse_tree(R"({"bandwidth": 100, "cnp": 3, "ecn": 1, "cpn": {}})", "f", problems);
    CHECK_FALSE(read_intent(node, "/roce", problems));
    REQUIRE(problems.size() == 4);
    CHECK(text(problems[0]) ==
          "f:1:27: /roce/cnp: found 3, expected an object of priority and dscp, or null");
    CHECK(text(problems[1]) == "f:1:40: /roce/cpn: found unknown key 'cpn', did you mean 'cnp'?");
    CHECK(text(problems[2]) == "f:1:15: /roce/bandwidth: found 100, expected 1..99");
    CHECK(text(problems[3]) == "f:1:37: /roce/ecn: found 1, expected true or false");
}

}  // namespace intent_test
