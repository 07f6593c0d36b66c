// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>

#include "tests/netns/sandbox.hpp"

namespace neighbour_test {

using core::Object;
using core::Record;

namespace {

struct Addressed {
    sandbox::Pair pair{"t0"};
    Addressed() {
        sandbox::run("ip address add 10.0.0.1/24 dev t0");
        sandbox::run("ip address add fd00::1/64 dev t0 nodad");
    }
};

nlohmann::json witness(const std::string& ip) {
    return sandbox::ip("neighbour show dev t0 " + ip);
}

std::optional<core::Refusal> state(const std::string& ip, const std::string& mac) {
    return sandbox::write_item("t0", "neighbours", Record{{"ip", ip}, {"mac", mac}});
}

std::vector<core::Neighbour> permanent() {
    std::vector<core::Neighbour> all = sandbox::read("t0", {Object::neighbours}).neighbours.value();
    std::erase_if(all, [](const core::Neighbour& one) { return !one.is_permanent(); });
    return all;
}

}  // namespace

TEST_CASE("neighbours: both families are stated, changed and removed") {
    const Addressed port;
    for (const std::string ip : {"10.0.0.9", "fd00::9"}) {
        for (const std::string mac : {"0c:42:a1:00:00:01", "0c:42:a1:00:00:02"}) {
            CHECK_FALSE(state(ip, mac));
            REQUIRE(witness(ip).size() == 1);
            CHECK(witness(ip).at(0).at("lladdr") == mac);
            CHECK(witness(ip).at(0).at("state") == nlohmann::json{"PERMANENT"});
        }
        CHECK_FALSE(sandbox::write("t0", "neighbours", std::nullopt, ip));
        CHECK(witness(ip).empty());
    }
}

TEST_CASE("neighbours: a learned one is made permanent, and no other is touched") {
    const Addressed port;
    for (const std::string ip : {"10.0.0.8", "10.0.0.9"})
        sandbox::run("ip neighbour replace " + ip + " lladdr 0c:42:a1:00:00:05 dev t0 nud stale");
    CHECK_FALSE(state("10.0.0.9", "0c:42:a1:00:00:05"));
    CHECK(witness("10.0.0.9").at(0).at("state") == nlohmann::json{"PERMANENT"});
    CHECK(witness("10.0.0.8").at(0).at("state") == nlohmann::json{"STALE"});
    REQUIRE(permanent().size() == 1);
}

TEST_CASE("neighbours: what an entry has beside stays when its address changes") {
    const Addressed port;
    sandbox::run(
        "ip neighbour replace fd00::9 lladdr 0c:42:a1:00:00:01 router dev t0 nud permanent "
        "protocol static");
    const core::Port read = sandbox::read("t0", {Object::neighbours});
    REQUIRE(read.neighbours_beyond.size() == 1);
    CHECK(read.neighbours_beyond[0].what == "router, proto static");
    CHECK_FALSE(state("fd00::9", "0c:42:a1:00:00:02"));
    const nlohmann::json seen = witness("fd00::9").at(0);
    CHECK(seen.at("lladdr") == "0c:42:a1:00:00:02");
    CHECK(seen.contains("router"));
    CHECK(seen.at("protocol") == "static");
}

TEST_CASE("neighbours: they go when the port goes down, and IPv4's with its last address") {
    const Addressed port;
    const auto make = [] {
        CHECK_FALSE(state("10.0.0.9", "0c:42:a1:00:00:01"));
        CHECK_FALSE(state("fd00::9", "0c:42:a1:00:00:01"));
        CHECK(permanent().size() == 2);
    };
    make();
    CHECK_FALSE(sandbox::write("t0", "addresses", std::nullopt, "fd00::1"));
    CHECK(permanent().size() == 2);
    CHECK_FALSE(sandbox::write("t0", "addresses", std::nullopt, "10.0.0.1"));
    REQUIRE(permanent().size() == 1);
    CHECK(permanent()[0].ip.v6);
    make();
    CHECK_FALSE(sandbox::write("t0", "up", false));
    CHECK(permanent().empty());
    make();  // and can be stated while it is down
}

TEST_CASE("neighbours: IPv6 ones go with the MTU that IPv6 needs, and cannot be stated below it") {
    const Addressed port;
    CHECK_FALSE(state("fd00::9", "0c:42:a1:00:00:01"));
    CHECK_FALSE(sandbox::write("t0", "mtu", std::uint64_t{1000}));
    CHECK(permanent().empty());
    const auto no = state("fd00::9", "0c:42:a1:00:00:01");
    REQUIRE(no.has_value());
    CHECK(no->code == EINVAL);
}

}  // namespace neighbour_test
