// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <set>
#include <thread>

#include "core/plan/readiness.hpp"
#include "tests/netns/sandbox.hpp"

namespace address_test {

using core::Object;

namespace {

/// The addresses of a port as ip says, without the kernel's own.
std::set<std::string> witness(const std::string& port) {
    std::set<std::string> addresses;
    const nlohmann::json seen = sandbox::ip("address show dev " + port);
    for (const auto& info : seen.at(0).at("addr_info"))
        if (info.at("scope") != "link")
            addresses.insert(info.at("local").get<std::string>() + "/" +
                             std::to_string(info.at("prefixlen").get<int>()));
    return addresses;
}

std::optional<core::Refusal> add(const std::string& address) {
    return sandbox::write_item("t0", "addresses", address);
}

std::optional<core::Refusal> drop(const std::string& address) {
    return sandbox::write("t0", "addresses", std::nullopt, address);
}

using Addresses = std::set<std::string>;

}  // namespace

TEST_CASE("addresses: both families are added and removed") {
    const sandbox::Pair pair("t0");
    CHECK_FALSE(add("10.0.0.1/24"));
    CHECK_FALSE(add("fd00::1/64"));
    CHECK(witness("t0") == Addresses{"10.0.0.1/24", "fd00::1/64"});
    CHECK_FALSE(drop("10.0.0.1"));
    CHECK_FALSE(drop("fd00::1"));
    CHECK(witness("t0") == Addresses{});
}

TEST_CASE("addresses: another length replaces, and does not stand beside") {
    const sandbox::Pair pair("t0");
    CHECK_FALSE(add("10.0.0.1/24"));
    CHECK_FALSE(add("fd00::1/64"));
    CHECK_FALSE(add("10.0.0.1/31"));
    CHECK_FALSE(add("fd00::1/127"));
    CHECK(witness("t0") == Addresses{"10.0.0.1/31", "fd00::1/127"});
}

TEST_CASE("addresses: a secondary one survives the removal of its primary one") {
    const sandbox::Pair pair("t0");
    sandbox::run("echo 0 > /proc/sys/net/ipv4/conf/t0/promote_secondaries");
    sandbox::run("ip address add 10.0.0.1/24 dev t0; ip address add 10.0.0.2/24 dev t0");
    CHECK_FALSE(drop("10.0.0.1"));
    CHECK(witness("t0") == Addresses{"10.0.0.2/24"});
}

TEST_CASE("addresses: an IPv6 address can be a route's source as soon as it is written") {
    const sandbox::Pair pair("t0");
    CHECK_FALSE(add("fd00::1/64"));
    sandbox::run("ip -6 route add fd08::/48 via fd00::2 dev t0 src fd00::1");
}

TEST_CASE("addresses: one that another host has is not taken for written") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip -6 address add fd00::1/64 dev peer0 nodad");
    const auto no = add("fd00::1/64");
    REQUIRE(no.has_value());
    CHECK(no->text.find("fd00::1 is in use by another host") != std::string::npos);
}

TEST_CASE("addresses: one that another host had first is not ready, whoever added it") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip -6 address add fd00::1/64 dev peer0 nodad");
    sandbox::run("ip -6 address add fd00::1/64 dev t0; ip -6 address add fd00::2/64 dev t0");
    const auto tells = [](const std::string& words) {
        return sandbox::run("ip -6 address show dev t0").find(words) != std::string::npos;
    };
    for (int i = 0; i < 100 && (!tells("dadfailed") || tells(" tentative \n")); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    REQUIRE(tells("dadfailed"));
    const core::Port port = sandbox::read("t0", {Object::addresses});
    for (const core::Address& address : *port.addresses)
        CHECK(address.duplicate == (core::text(address.ip) == "fd00::1"));
    core::DesiredState desired_values;
    for (const char* address : {"fd00::1/64", "fd00::2/64"})
        desired_values.desired_values.push_back({.port = "t0",
                                                 .field = core::find_field("addresses"),
                                                 .value = core::Value(std::string(address))});
    const std::vector<core::Unready> unready =
        core::unready(desired_values, core::State{.host = {}, .ports = {port}});
    REQUIRE(unready.size() == 1);
    CHECK(unready.front().finding.text ==
          "not ready: another host has fd00::1 too (IPv6 duplicate address detection)");
}

TEST_CASE("addresses: the kernel's own are facts") {
    const sandbox::Pair pair("t0");
    CHECK_FALSE(add("fd00::1/64"));  // waits until the link-local one is there as well
    sandbox::run("ip address add 10.0.0.7/24 dev t0 valid_lft 600 preferred_lft 600");
    const core::Port port = sandbox::read("t0", {Object::addresses});
    REQUIRE(port.addresses.has_value());
    for (const core::Address& address : *port.addresses) {
        const std::string text = core::text(address.ip);
        CHECK_MESSAGE(address.by_kernel == (text != "fd00::1"), text);
    }
    CHECK(port.addresses->size() == 3);
}

TEST_CASE("addresses: those of other ports stay away") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip address add 10.0.0.1/24 dev t0; ip address add 10.1.0.1/24 dev peer0");
    const core::Port port = sandbox::read("peer0", {Object::addresses});
    for (const core::Address& address : *port.addresses)
        CHECK((address.ip.v6 || core::text(address.ip) == "10.1.0.1"));
}

}  // namespace address_test
