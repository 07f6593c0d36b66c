// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "netlink/ip/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace route_codec_test {

using netlink::decode_route;
using netlink::RouteAnswer;

namespace {

core::Ip ip(const std::string& text) {
    const auto parsed = core::parse_ip(text);
    REQUIRE(parsed.has_value());
    return *parsed;
}

core::Prefix prefix(const std::string& text) {
    const auto parsed = core::parse_prefix(text);
    REQUIRE(parsed.has_value());
    return *parsed;
}

/// The routes by one link to a network.
std::vector<core::Route> routes_to(const std::string& capture, const std::string& to) {
    std::vector<core::Route> routes;
    for (const RouteAnswer& answer : wire::decoded(capture, RTM_NEWROUTE, decode_route))
        if (answer.links == std::vector<std::uint32_t>{2} && answer.described &&
            answer.route.to == prefix(to))
            routes.push_back(answer.route);
    return routes;
}

constexpr std::uint8_t kBoot = RTPROT_BOOT;

}  // namespace

KERNELS_TEST_CASE("routes: gateway, source, metric, protocol and MTU") {
    CHECK(routes_to("routes-4", "10.8.0.0/16") ==
          std::vector<core::Route>{{.to = prefix("10.8.0.0/16"),
                                    .metric = 7,
                                    .via = ip("10.0.0.9"),
                                    .source = ip("10.0.0.2"),
                                    .protocol = RTPROT_STATIC,
                                    .mtu = 1400}});
}

KERNELS_TEST_CASE("routes: a table above 255, and a gateway of the other family") {
    CHECK(routes_to("routes-4", "10.9.0.0/16") ==
          std::vector<core::Route>{{.to = prefix("10.9.0.0/16"),
                                    .table = 1001,
                                    .via = ip("10.0.0.9"),
                                    .protocol = kBoot}});
    CHECK(routes_to("routes-4", "10.7.0.0/16") ==
          std::vector<core::Route>{
              {.to = prefix("10.7.0.0/16"), .via = ip("fd00::9"), .protocol = kBoot}});
}

KERNELS_TEST_CASE("routes: a connected one") {
    CHECK(routes_to("routes-4", "10.0.0.0/24") ==
          std::vector<core::Route>{{.to = prefix("10.0.0.0/24"),
                                    .source = ip("10.0.0.1"),
                                    .scope = RT_SCOPE_LINK,
                                    .protocol = RTPROT_KERNEL}});
}

KERNELS_TEST_CASE("routes: IPv6, the default one with its source and one without a gateway") {
    CHECK(routes_to("routes-6", "::/0") == std::vector<core::Route>{{.to = prefix("::/0"),
                                                                     .metric = 1024,
                                                                     .via = ip("fd00::9"),
                                                                     .source = ip("fd00::1"),
                                                                     .protocol = kBoot}});
    CHECK(routes_to("routes-6", "fd08::/48") ==
          std::vector<core::Route>{
              {.to = prefix("fd08::/48"), .metric = 5, .protocol = kBoot, .mtu = 1400}});
}

KERNELS_TEST_CASE("routes: what is not a plain unicast route is left out") {
    for (const char* to : {"10.6.0.0/16", "10.5.0.0/16", "10.4.0.0/16", "10.3.0.0/16"})
        CHECK_MESSAGE(routes_to("routes-4", to).empty(), to);
    for (const char* capture : {"routes-4", "routes-6"})
        for (const RouteAnswer& answer : wire::decoded(capture, RTM_NEWROUTE, decode_route))
            CHECK(answer.route.table != RT_TABLE_LOCAL);
}

KERNELS_TEST_CASE(
    "routes: what no setting holds is named, and a route of several links is one of each") {
    std::map<std::string, std::string> beyond;
    for (const RouteAnswer& answer : wire::decoded("routes-4", RTM_NEWROUTE, decode_route)) {
        if (answer.beyond.empty()) continue;
        CHECK_FALSE(answer.described);
        CHECK(std::ranges::find(answer.links, 2U) != answer.links.end());
        beyond[core::text(answer.route.to)] = answer.beyond;
        if (answer.beyond == "nexthops") CHECK(answer.links.size() == 2);
    }
    CHECK(beyond == std::map<std::string, std::string>{{"10.4.0.0/16", "nhid"},
                                                       {"10.5.0.0/16", "nexthops"},
                                                       {"10.6.0.0/16", "tos 16"}});
}

TEST_CASE("law: attributes found by one walk are those found by a walk each, of any bytes") {
    std::mt19937 random(40);
    std::size_t found = 0;
    for (unsigned round = 0; round < 2000; ++round) {
        std::vector<std::byte> bytes;
        while (bytes.size() < 60) {
            const std::size_t length = random() % 16;  // less than a header has none
            for (const std::size_t byte :
                 {length, std::size_t{0}, random() % 40, random() % 2 * 64})
                bytes.push_back(static_cast<std::byte>(byte));
            for (std::size_t at = 4; at < netlink::aligned(length); ++at)
                bytes.push_back(static_cast<std::byte>(random() % 256));
            if (length < 4 && random() % 4 != 0) bytes.resize(bytes.size() - 4);
        }
        bytes.resize(bytes.size() - random() % 8);
        const netlink::Attributes each{netlink::Bytes(bytes)};
        const netlink::IndexedAttributes all(each);
        for (int type = 0; type < 48; ++type) {
            const auto one = each.find(type);
            const auto other = all.find(type);
            REQUIRE(one.has_value() == other.has_value());
            if (!one) continue;
            ++found;
            CHECK(one->data() == other->data());
            CHECK(one->size() == other->size());
            CHECK(each.value<std::uint32_t>(type) == all.value<std::uint32_t>(type));
        }
    }
    CHECK(found > 1000);
}

}  // namespace route_codec_test
