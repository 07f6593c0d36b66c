// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/netns/sandbox.hpp"

namespace route_test {

using core::Object;
using core::Record;

namespace {

/// A port with addresses to route from.
struct Routed {
    sandbox::Pair pair{"t0"};
    Routed() {
        sandbox::run("ip address add 10.0.0.1/24 dev t0");
        sandbox::run("ip address add fd00::1/64 dev t0 nodad");
    }
};

nlohmann::json witness(const std::string& selector) {
    return sandbox::ip("-d route show dev t0 " + selector);
}

std::string element_of(const Record& route) {
    const core::Field* field = core::find_field("routes");
    return core::identity(field->shape, core::canonical(field->shape, core::Value(route)));
}

std::optional<core::Refusal> add(const Record& route) {
    return sandbox::write_item("t0", "routes", route);
}

std::optional<core::Refusal> drop(const Record& route) {
    return sandbox::write("t0", "routes", std::nullopt, element_of(route));
}

}  // namespace

TEST_CASE("routes: every part arrives in the kernel") {
    const Routed port;
    const Record route = {{"to", "10.8.0.0/16"},        {"via", "10.0.0.9"},
                          {"source", "10.0.0.1"},       {"table", "100"},
                          {"metric", std::uint64_t{7}}, {"scope", "global"},
                          {"protocol", "static"},       {"mtu", std::uint64_t{1400}}};
    CHECK_FALSE(add(route));
    const nlohmann::json seen = witness("table 100").at(0);
    CHECK(seen.at("dst") == "10.8.0.0/16");
    CHECK(seen.at("gateway") == "10.0.0.9");
    CHECK(seen.at("prefsrc") == "10.0.0.1");
    CHECK(seen.at("metric") == 7);
    CHECK(seen.at("scope") == "global");
    CHECK(seen.at("protocol") == "static");
    CHECK(seen.at("metrics").at(0).at("mtu") == 1400);
    CHECK_FALSE(drop(route));
    CHECK(witness("table all 10.8.0.0/16").empty());
}

TEST_CASE("routes: IPv6, and an IPv4 one by an IPv6 gateway") {
    const Routed port;
    CHECK_FALSE(add({{"to", "fd08::/48"}, {"via", "fd00::9"}, {"source", "fd00::1"}}));
    CHECK_FALSE(add({{"to", "10.8.0.0/16"}, {"via", "fd00::9"}}));
    const nlohmann::json six = sandbox::ip("-6 route show dev t0 fd08::/48").at(0);
    CHECK(six.at("gateway") == "fd00::9");
    CHECK(six.at("prefsrc") == "fd00::1");
    CHECK(witness("10.8.0.0/16").at(0).at("via").at("host") == "fd00::9");
    CHECK_FALSE(drop({{"to", "fd08::/48"}}));
    CHECK(sandbox::ip("-6 route show dev t0 fd08::/48").empty());
}

TEST_CASE("routes: a change replaces, and does not stand beside") {
    const Routed port;
    for (const char* to : {"10.8.0.0/16", "fd08::/48"}) {
        const bool six = to[0] == 'f';
        CHECK_FALSE(add({{"to", to}, {"via", six ? "fd00::9" : "10.0.0.9"}}));
        CHECK_FALSE(add({{"to", to}, {"via", six ? "fd00::8" : "10.0.0.8"}}));
        const nlohmann::json seen =
            six ? sandbox::ip("-6 route show dev t0 fd08::/48") : witness("10.8.0.0/16");
        REQUIRE(seen.size() == 1);
        CHECK(seen.at(0).at("gateway") == (six ? "fd00::8" : "10.0.0.8"));
    }
}

TEST_CASE("routes: only the one with the same metric is removed") {
    const Routed port;
    sandbox::run("ip route add 10.8.0.0/16 via 10.0.0.9 metric 5 proto static");
    sandbox::run("ip route add 10.8.0.0/16 via 10.0.0.9 proto static");
    sandbox::run("ip route add 10.8.0.0/16 via 10.0.0.9 table 7 proto static");
    CHECK_FALSE(drop({{"to", "10.8.0.0/16"}, {"metric", std::uint64_t{5}}}));
    REQUIRE(witness("10.8.0.0/16").size() == 1);
    CHECK_FALSE(witness("10.8.0.0/16").at(0).contains("metric"));
    CHECK_FALSE(drop({{"to", "10.8.0.0/16"}}));
    CHECK(witness("10.8.0.0/16").empty());
    CHECK(witness("table 7").size() == 1);
}

TEST_CASE("routes: the kernel's words about a gateway nobody reaches") {
    const Routed port;
    CHECK(add({{"to", "10.8.0.0/16"}, {"via", "99.0.0.1"}}) ==
          core::Refusal{.code = ENETUNREACH,
                        .text = "Network is unreachable: Nexthop has invalid gateway"});
}

TEST_CASE("routes: what is read is what ip says, multipath left out") {
    const Routed port;
    sandbox::run("ip route add 10.8.0.0/16 via 10.0.0.9 metric 5 proto static");
    sandbox::run("ip route add 10.9.0.0/16 nexthop via 10.0.0.8 nexthop via 10.0.0.9");
    sandbox::run("ip route add blackhole 10.7.0.0/16");
    const core::Port read = sandbox::read("t0", {Object::routes});
    REQUIRE(read.routes.has_value());
    std::vector<std::string> to;
    for (const core::Route& route : *read.routes)
        if (!route.to.ip.v6) to.push_back(core::text(route.to));
    CHECK(to == std::vector<std::string>{"10.0.0.0/24", "10.8.0.0/16"});
    CHECK(read.routes->at(1).metric == 5);
    CHECK(read.routes->at(0).protocol == 2);
}

}  // namespace route_test
