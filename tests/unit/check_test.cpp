// SPDX-License-Identifier: Apache-2.0
#include "core/checks/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/model/field.hpp"

namespace check_test {

using namespace core;

namespace {

/// A port on which no check fails.
Port sound() {
    Port port("a");
    port.device = Device{.driver = "generic", .firmware = {}};
    port.link = Link{.up = true, .mtu = 9000};
    port.pause = Pause{};
    port.ets = Ets{.algorithm = {2, 0, 0, 2}, .bandwidth = {50, 0, 0, 50}};
    port.pfc = Pfc{.priorities = 1U << 3U};
    port.app = App{.entries = {{AppEntry::dscp, 26, 3}}, .trust = {{AppEntry::dscp}}};
    port.rdma_link = RdmaLink{.device = "rxe0", .index = 0, .type = "rxe"};
    port.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 106};
    port.routes = {Route{.to = *parse_prefix("10.0.0.0/8"), .via = parse_ip("10.0.0.1")}};
    port.rules = {Rule{.from = parse_network("10.0.0.1"), .table = 101}};
    return port;
}

std::set<std::string_view> failing(const Port& port, const char* driver = "generic") {
    std::set<std::string_view> out;
    for (const Check& check : checks())
        if (check.fails(driver_named(driver), port)) out.insert(check.id);
    return out;
}

using Ids = std::set<std::string_view>;

}  // namespace

TEST_CASE("checks: every row has an id of its own, a why, a remedy, and needs settings") {
    std::set<std::string_view> ids;
    for (const Check& check : checks()) {
        INFO(check.id);
        CHECK(ids.insert(check.id).second);
        CHECK(check.why.ends_with('.'));
        CHECK_FALSE(check.remedy.empty());
        REQUIRE_FALSE(check.needs.empty());
        for (const std::string_view key : check.needs) {
            REQUIRE(find_field(key) != nullptr);
            CHECK(find_field(key)->use == Field::Use::setting);
        }
    }
}

TEST_CASE("checks: each speaks on what it is about, and on nothing else") {
    CHECK(failing(sound()).empty());
    Port port = sound();
    port.pause->rx = true;
    CHECK(failing(port) == Ids{"pfc-with-rx-pause"});
    port.pfc->priorities = 0;
    CHECK(failing(port).empty());
    port = sound();
    port.pause->tx = true;
    CHECK(failing(port) == Ids{"pfc-with-tx-pause"});
    port = sound();
    port.pfc->priorities = 0xff;
    CHECK(failing(port) == Ids{"pfc-on-all"});
    port = sound();
    port.ets->bandwidth[0] = 49;
    CHECK(failing(port) == Ids{"ets-shares"});
    port = sound();
    port.ets->bandwidth[1] = 10;  // a strict class
    CHECK(failing(port) == Ids{"ets-shares"});
    port = sound();
    port.app->trust = {{AppEntry::pcp}};
    CHECK(failing(port) == Ids{"dscp-not-trusted"});
    port = sound();
    port.app->entries.insert({AppEntry::dgram, 4791, 5});
    CHECK(failing(port) == Ids{"udp-lossy"});
    port = sound();
    port.app->entries.insert({AppEntry::dgram, 4791, 3});
    CHECK(failing(port).empty());
    port = sound();
    port.cm_defaults->tos = 107;
    CHECK(failing(port) == Ids{"tos-congested"});
    port = sound();
    port.link->mtu = 1000;
    CHECK(failing(port) == Ids{"mtu-small"});
    port = sound();
    port.routes->front().source = parse_ip("2001:db8::1");
    CHECK(failing(port) == Ids{"route-family"});
}

TEST_CASE("checks: a ToS is lossless by the map, or by what the NIC does without an entry") {
    Port port = sound();
    port.app->entries = {{AppEntry::dscp, 26, 4}};
    CHECK(failing(port) == Ids{"tos-lossy"});
    port.app->entries.clear();
    CHECK(failing(port) == Ids{"tos-lossy"});
    CHECK(failing(port, "mlx5_core").empty());  // DSCP 26 / 8 is 3
    port.cm_defaults->tos = 40 << 2U;
    CHECK(failing(port, "mlx5_core") == Ids{"tos-lossy"});
}

}  // namespace check_test
