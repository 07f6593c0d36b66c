// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "tests/netns/sandbox.hpp"

namespace link_test {

using core::Object;

TEST_CASE("link: what is read is what ip says") {
    const sandbox::Pair pair("t0");
    const core::Port port = sandbox::read("t0", {Object::link, Object::device, Object::speed});
    const nlohmann::json witness = sandbox::ip("-d link show dev t0").at(0);
    REQUIRE(port.link.has_value());
    CHECK(port.link->index == witness.at("ifindex"));
    CHECK(port.link->mac == witness.at("address").get<std::string>());
    CHECK(port.link->mtu == witness.at("mtu"));
    CHECK(port.link->mtu_min == witness.at("min_mtu"));
    CHECK(port.link->mtu_max == witness.at("max_mtu"));
    CHECK(port.link->kind == "veth");
    CHECK(port.link->lower.empty());
    CHECK(port.link->up);
    CHECK(port.link->carrier);
    CHECK(port.device == core::Device{.driver = "veth", .firmware = {}});
    CHECK(port.speed == 10000U);
}

TEST_CASE("link: MTU and up are written and read back, one at a time") {
    const sandbox::Pair pair("t0");
    CHECK_FALSE(sandbox::write("t0", "mtu", std::uint64_t{4200}));
    CHECK(sandbox::ip("link show dev t0").at(0).at("mtu") == 4200);
    CHECK(sandbox::read("t0", {Object::link}).link->up);

    CHECK_FALSE(sandbox::write("t0", "up", false));
    const nlohmann::json flags = sandbox::ip("link show dev t0").at(0).at("flags");
    CHECK(std::find(flags.begin(), flags.end(), "UP") == flags.end());
    CHECK(sandbox::read("t0", {Object::link}).link->mtu == 4200);
    CHECK_FALSE(sandbox::read("t0", {Object::link}).link->up);
}

TEST_CASE("link: the kernel's own words arrive") {
    const sandbox::Pair pair("t0");
    const auto no = sandbox::write("t0", "mtu", std::uint64_t{65536});
    CHECK(no == core::Refusal{.code = EINVAL,
                              .text = "Invalid argument: mtu greater than device maximum"});
    CHECK(sandbox::ip("link show dev t0").at(0).at("mtu") == 1500);
}

TEST_CASE("link: exact names and patterns find the same ports, in the same order") {
    const sandbox::Pair pair("t0", "t1");
    netlink::Live host = sandbox::live();
    const auto names = [&](std::vector<std::string> patterns) {
        std::vector<std::string> found;
        for (const core::Port& port :
             host.read({.ports = std::move(patterns), .objects = {Object::link}}).ports)
            found.push_back(port.name);
        return found;
    };
    CHECK(names({"t0", "t1", "t0"}) == names({"t*"}));
    CHECK(names({"t[0]"}) == std::vector<std::string>{"t0"});
    CHECK(host.read({.ports = std::nullopt, .objects = {}}).ports.size() == 3);
}

TEST_CASE("link: a port that does not exist is not in the answer, and cannot be written") {
    netlink::Live host = sandbox::live();
    for (const char* name : {"nosuch", "", "a-name-much-too-long-for-any-interface"})
        CHECK(host.read(sandbox::scope(name, {Object::link})).ports.empty());
    const auto no = sandbox::write("nosuch", "mtu", std::uint64_t{1500});
    REQUIRE(no.has_value());
    CHECK(no->code == ENODEV);
}

TEST_CASE("link: an alternative name is not the port's name") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip link property add dev t0 altname fabric0");
    netlink::Live host = sandbox::live();
    CHECK(host.read(sandbox::scope("fabric0", {Object::link})).ports.empty());
}

TEST_CASE("link: only what the scope names is read") {
    const sandbox::Pair pair("t0");
    core::Port expected;
    expected.name = "t0";
    expected.speed = 10000;
    CHECK(sandbox::read("t0", {Object::speed}) == expected);
}

TEST_CASE("link: a member of a bridge names its master") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip link add br0 type bridge");
    sandbox::run("ip link set dev t0 master br0");
    CHECK(sandbox::read("t0", {Object::link}).link->master == "br0");
    CHECK(sandbox::read("t[0]", {Object::link}).link->master == "br0");
    sandbox::run("ip link delete dev br0");
}

TEST_CASE("link: what is known of a port is not asked again, and all else is read as without") {
    std::vector<std::string> names;
    for (unsigned i = 0; i < 12; ++i) {
        names.push_back("k" + std::to_string(i));
        sandbox::run("ip link add " + names.back() + " type veth peer name p" + std::to_string(i));
        sandbox::run("ip address add 10.51." + std::to_string(i) + ".1/24 dev " + names.back());
    }
    netlink::Live host = sandbox::live();
    core::State known = host.read({.ports = {{"k*"}}, .objects = core::inventory()});
    REQUIRE(known.ports.size() == names.size());
    core::Scope scope{.ports = names,
                      .objects = {Object::link, Object::device, Object::vlan, Object::addresses}};
    const core::State without = host.read(scope);
    scope.known = &known;
    CHECK(host.read(scope).ports == without.ports);
    known.ports.front().link->mtu = 4444;
    CHECK(host.read(scope).ports.front().link->mtu == 4444);
    // A state that was a text has no indices: its links are asked for.
    for (core::Port& port : known.ports)
        port.link->index = 0;
    CHECK(host.read(scope).ports == without.ports);
    for (const std::string& name : names)
        sandbox::run("ip link del " + name);
}

}  // namespace link_test
