// SPDX-License-Identifier: Apache-2.0
#include "core/plan/owners.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "netlink/rdma/codecs.hpp"
#include "netlink/system/codecs.hpp"
#include "tests/unit/hosts.hpp"

namespace other_owners_test {

using namespace core;

namespace {

Plan plan_of(const std::vector<Desired>& desired_values,
             const Dcbx& dcbx = {.bits = Dcbx::host | Dcbx::ieee}) {
    State host = hosts::host("mlx5_core");
    host.ports[0].dcbx = dcbx;
    StateFile kernel(host);
    return hosts::plan(kernel, hosts::desired_values(desired_values));
}

State owners(Owners owners, std::optional<QueuePairs> pairs = QueuePairs{}) {
    Port port("ens1f0");
    port.owners = std::move(owners);
    port.queue_pairs = std::move(pairs);
    return {.host = {}, .ports = {port}};
}

Desired mtu_9000() {
    return hosts::desired("mtu", std::uint64_t{9000});
}

Desired pfc_3() {
    return hosts::desired("pfc.priorities", Numbers{3});
}

}  // namespace

TEST_CASE("owners: an owner is reported and refused where the plan writes what it writes") {
    const Plan plan = plan_of({mtu_9000(), pfc_3()});
    const State both = owners({{"NetworkManager", "/etc/x.nmconnection"}, {"lldpad", "it runs"}});
    const std::vector<Finding> owned = other_owners(plan, both);
    REQUIRE(owned.size() == 2);
    CHECK(owned[0].key == "NetworkManager");
    CHECK(owned[0].text.find("link") != std::string::npos);
    CHECK(owned[0].text.find("/etc/x.nmconnection") != std::string::npos);
    CHECK(owned[0].remedy.find("nmcli device set ens1f0 managed no") != std::string::npos);
    CHECK(owned[1].text.find("pfc") != std::string::npos);
    CHECK(conflicts(plan, both, {}).size() == 2);
    CHECK(conflicts(plan, both, {"lldpad"}).size() == 1);
    CHECK(conflicts(plan, both, {"lldpad", "NetworkManager"}).empty());
    CHECK(conflicts(plan_of({mtu_9000()}), owners({{"lldpad", "it runs"}}), {}).empty());
    CHECK(conflicts(plan, owners({}), {}).empty());
}

TEST_CASE("owners: one whose trace does not prove that it sets the port is no conflict") {
    const Plan plan = plan_of({pfc_3()});
    const State operators = owners({{"nic-configuration-operator", "/etc/udev/rules.d/x"}});
    CHECK(conflicts(plan, operators, {}).empty());
    CHECK(other_owners(plan, operators).empty());
    const State script = owners({{"doRoCE", "x: /usr/bin/doRoCE.sh --yes"}});
    CHECK(conflicts(plan, script, {}).size() == 1);
    CHECK(other_owners(plan, script).size() == 1);
}

TEST_CASE("owners: the firmware owns DCB while DCBX is its own, and the plan leaves it so") {
    const Dcbx firmwares{.bits = Dcbx::cee | Dcbx::ieee};
    State now = owners({});
    now.ports[0].dcbx = firmwares;
    const auto owned = other_owners(plan_of({pfc_3()}, firmwares), now);
    REQUIRE(owned.size() == 1);
    CHECK(owned[0].key == "firmware");
    CHECK(owned[0].text.find("pfc too (DCBX is not the host's)") != std::string::npos);
    CHECK(owned[0].remedy.find("dcb dcbx set dev ens1f0 host ieee") != std::string::npos);
    CHECK(conflicts(plan_of({mtu_9000()}, firmwares), now, {}).empty());
    const Desired host = hosts::desired("dcbx.mode", std::string("host"));
    CHECK(conflicts(plan_of({pfc_3(), host}, firmwares), now, {}).empty());
    CHECK(owner_scope(plan_of({pfc_3()}, firmwares)).objects.contains(Object::dcbx));
}

TEST_CASE("owners: queue pairs are held where the plan costs the link, and only there") {
    const Plan plan = plan_of({pfc_3()});  // costs the link on mlx5
    CHECK(held_ports(plan, owners({})).empty());
    const auto held = held_ports(plan, owners({}, QueuePairs{{"nvme_rdma (kernel)", 4}}));
    REQUIRE(held.size() == 1);
    CHECK(held[0] == "ens1f0: queue pairs are in use: nvme_rdma (kernel) has 4");
    const auto reported = other_owners(plan, owners({}, QueuePairs{{"nvme_rdma (kernel)", 4}}));
    REQUIRE(reported.size() == 1);
    CHECK(reported[0].text.find("nvme_rdma (kernel) has 4; apply needs --allow link") !=
          std::string::npos);
    State unread = owners({}, std::nullopt);
    unread.ports[0].refused[Object::queue_pairs] = {.code = 1, .text = "Operation not permitted"};
    CHECK(held_ports(plan, unread).size() == 1);
    CHECK(held_ports(plan_of({mtu_9000()}), owners({}, QueuePairs{{"x (1)", 1}})).empty());
    CHECK(owner_scope(plan).objects.contains(Object::queue_pairs));
    CHECK_FALSE(owner_scope(plan_of({mtu_9000()})).objects.contains(Object::queue_pairs));
}

TEST_CASE("owners: queue pairs are held where the plan takes their device away") {
    State host = hosts::host("mlx5_core");
    host.ports[0].rdma_link = RdmaLink{.device = "rxe0", .type = "rxe", .protocol = "roce"};
    StateFile kernel(host);
    Desired none = hosts::desired("rdma.link", Record{});
    none.value = std::nullopt;
    const Plan plan = hosts::plan(kernel, hosts::desired_values({none}));
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::link);
    CHECK(owner_scope(plan).objects.contains(Object::queue_pairs));
    CHECK(held_ports(plan, owners({})).empty());
    const State used = owners({}, QueuePairs{{"ibv_rc_pingpong (7)", 1}});
    CHECK(held_ports(plan, used) ==
          std::vector<std::string>{"ens1f0: queue pairs are in use: ibv_rc_pingpong (7) has 1"});
    CHECK(other_owners(plan, used).at(0).text.find("--allow link") != std::string::npos);
    // One of another type comes in its place.
    const Desired siw = hosts::desired("rdma.link", Record{{"type", "siw"}, {"name", "rxe0"}});
    const Plan replaced = hosts::plan(kernel, hosts::desired_values({siw}));
    REQUIRE(replaced.steps.size() == 1);
    CHECK(replaced.steps[0].disruption == Disruption::link);
    CHECK(held_ports(replaced, used).size() == 1);
    // Where only its name is another one it stays, and all that is on it.
    const Desired name = hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rail0"}});
    const Plan renamed = hosts::plan(kernel, hosts::desired_values({name}));
    REQUIRE(renamed.steps.size() == 1);
    CHECK(renamed.steps[0].disruption == Disruption::none);
    CHECK(held_ports(renamed, used).empty());
    CHECK(renamed.predicted.ports[0].rdma_link->device == "rail0");
    CHECK(renamed.predicted.ports[0].cm_defaults == renamed.before.ports[0].cm_defaults);
    const std::vector<std::string> lines = commands(renamed);
    CHECK(std::ranges::find(lines, "rdma dev set rxe0 name rail0") != lines.end());
    CHECK(std::ranges::none_of(
        lines, [](const std::string& line) { return line.starts_with("rdma link"); }));
    // Where one is made nobody has anything yet.
    host.ports[0].rdma_link = RdmaLink{};
    StateFile bare(host);
    const Desired rxe = hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}});
    CHECK(held_ports(hosts::plan(bare, hosts::desired_values({rxe})), used).empty());
}

TEST_CASE("owners: a keyfile is the port's by its name or its address") {
    Port port("ens1f0");
    port.link = Link{.mac = "02:00:00:00:00:0a"};
    CHECK(netlink::is_keyfile_of("[connection]\ninterface-name=ens1f0\n", port));
    CHECK(netlink::is_keyfile_of("[ethernet]\nmac-address=02:00:00:00:00:0A\n", port));
    CHECK_FALSE(netlink::is_keyfile_of("[connection]\ninterface-name=ens1f01\n", port));
    CHECK_FALSE(netlink::is_keyfile_of("", port));
}

}  // namespace other_owners_test
