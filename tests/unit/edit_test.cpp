// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/model/edit.hpp"
#include "core/objects/ip/records.hpp"
#include "tests/unit/hosts.hpp"

namespace edit_test {

using namespace core;

namespace {

std::string spelled(const std::vector<Edit<AppEntry>>& edits) {
    std::string out;
    for (const auto& edit : edits) {
        const char* sign = edit.kind == Edit<AppEntry>::Kind::remove    ? "-"
                           : edit.kind == Edit<AppEntry>::Kind::replace ? "="
                                                                        : "+";
        out += (out.empty() ? "" : " ") + std::string(sign) + std::to_string(edit.entry.selector) +
               "/" + std::to_string(edit.entry.protocol) + ":" +
               std::to_string(edit.entry.priority);
    }
    return out;
}

std::string app(const std::string& driver, const std::set<AppEntry>& now,
                const std::set<AppEntry>& then) {
    return spelled(app::edits(driver_named(driver), {.entries = now, .trust = {}},
                              {.entries = then, .trust = {}}));
}

}  // namespace

TEST_CASE("app edits: each driver gets from one priority to the other in its own way") {
    CHECK(app("mlx5_core", {{5, 26, 3}}, {{5, 26, 4}}) == "=5/26:4");
    CHECK(app("hns3", {{5, 26, 3}}, {{5, 26, 4}}) == "=5/26:4");
    CHECK(app("bnxt_en", {{5, 26, 3}}, {{5, 26, 4}}) == "-5/26:3 +5/26:4");
    CHECK(app("generic", {{5, 26, 3}}, {{5, 26, 4}}) == "-5/26:3 +5/26:4");
    CHECK(app("ice", {{5, 26, 3}, {5, 48, 6}}, {{5, 26, 4}, {5, 48, 6}}) == "-5/26:3 +5/26:4");
}

TEST_CASE("app edits: ice never loses its last DSCP entry on the way, since that resets all QoS") {
    CHECK(app("ice", {{5, 26, 3}}, {{5, 26, 4}}) == "+5/63:0 -5/26:3 +5/26:4 -5/63:0");
    CHECK(app("ice", {{5, 26, 3}}, {{5, 48, 4}}) == "+5/48:4 -5/26:3");
    CHECK(app("ice", {{5, 26, 3}}, {}) == "-5/26:3");
}

TEST_CASE("app edits: RoCE comes before CNP, the datagram entry before both") {
    CHECK(app("bnxt_en", {}, {{5, 48, 7}, {5, 26, 3}, {3, 4791, 3}}) ==
          "+3/4791:3 +5/26:3 +5/48:7");
}

TEST_CASE("app edits: an ambiguous code point is cleaned up") {
    CHECK(app("generic", {{5, 26, 3}, {5, 26, 5}}, {{5, 26, 3}}) == "-5/26:5");
    CHECK(app("bnxt_en", {{5, 26, 1}, {5, 26, 5}}, {{5, 26, 3}}) == "-5/26:1 -5/26:5 +5/26:3");
}

TEST_CASE("route edits: a changed route is removed and added, a gateway's route comes first") {
    const auto route = [](Record record) { return route_of(record); };
    const Route direct = route({{"to", "198.51.100.0/24"}});
    const Route far = route({{"to", "10.0.0.0/8"}, {"via", "198.51.100.1"}});
    const Route other = route({{"to", "10.0.0.0/8"}, {"via", "198.51.100.2"}});
    using E = Edit<Route>;
    CHECK(routes::edits({far}, {other}) ==
          std::vector<E>{{E::Kind::remove, far}, {E::Kind::add, other}});
    CHECK(routes::edits({}, {far, direct}) ==
          std::vector<E>{{E::Kind::add, direct}, {E::Kind::add, far}});
    CHECK(routes::edits({far, direct}, {}) ==
          std::vector<E>{{E::Kind::remove, far}, {E::Kind::remove, direct}});
    CHECK(routes::edits({far}, {far}).empty());
}

TEST_CASE("address edits: another prefix length of the same address is a replacement") {
    const Address wide{.ip = *parse_ip("192.0.2.1"), .prefix_length = 24};
    const Address narrow{.ip = *parse_ip("192.0.2.1"), .prefix_length = 25};
    using E = Edit<Address>;
    CHECK(addresses::edits({wide}, {narrow}) ==
          std::vector<E>{{E::Kind::remove, wide}, {E::Kind::add, narrow}});
    CHECK(addresses::edits({wide}, {wide}).empty());
}

TEST_CASE("address edits: IPv4 addresses in another order are removed and added again") {
    const auto address = [](const char* ip) {
        return Address{.ip = *parse_ip(ip), .prefix_length = 24};
    };
    const Address first = address("192.0.2.1");
    const Address second = address("192.0.2.2");
    const Address third = address("192.0.2.3");
    using E = Edit<Address>;
    CHECK(addresses::edits({first, second}, {first, second, third}) ==
          std::vector<E>{{E::Kind::add, third}});
    CHECK(addresses::edits({second}, {first, second}) ==
          std::vector<E>{{E::Kind::remove, second}, {E::Kind::add, first}, {E::Kind::add, second}});
    CHECK(addresses::edits({first, third, second}, {first, second}) ==
          std::vector<E>{{E::Kind::remove, third}});
    Address with_broadcast = first;
    with_broadcast.broadcast = parse_ip("192.0.2.255");
    CHECK(addresses::edits({first}, {with_broadcast}) ==
          std::vector<E>{{E::Kind::remove, first}, {E::Kind::add, with_broadcast}});
    // A primary address is before the secondaries of others.
    std::vector<Address> all = {first, second};
    const Address other{.ip = *parse_ip("198.51.100.1"), .prefix_length = 24};
    addresses::insert(all, other);
    CHECK(all == std::vector<Address>{first, other, second});
    addresses::insert(all, third);
    CHECK(all == std::vector<Address>{first, other, second, third});
}

}  // namespace edit_test
