// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/rtnetlink.h>

#include <map>

#include "netlink/ip/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace neighbour_codec_test {

using netlink::decode_neighbour;
using netlink::NeighbourAnswer;

namespace {

/// Those of the first port with an address, by it.
std::map<std::string, NeighbourAnswer> neighbours_in(const std::string& capture) {
    const auto all = wire::decoded(capture, RTM_NEWNEIGH, decode_neighbour);
    std::map<std::string, NeighbourAnswer> out;
    for (const NeighbourAnswer& answer : all)
        out.emplace(core::text(answer.neighbour.ip), answer);
    return out;
}

core::Neighbour neighbour(const std::string& ip, const std::string& mac,
                          const std::string& state = "permanent") {
    return {.ip = *core::parse_ip(ip), .mac = mac, .state = state};
}

}  // namespace

TEST_CASE("neighbours: permanent ones of both families, and what they have beside") {
    const auto seen = neighbours_in("neighbours");
    CHECK(seen.at("10.0.0.9").neighbour == neighbour("10.0.0.9", "0c:42:a1:00:00:09"));
    CHECK(seen.at("10.0.0.9").beyond.empty());
    CHECK(seen.at("fd00::9").neighbour == neighbour("fd00::9", "0c:42:a1:00:00:09"));
    CHECK(seen.at("fd00::9").beyond == "router, proto static");
    CHECK(seen.at("10.1.0.9").index != seen.at("10.0.0.9").index);
}

TEST_CASE("neighbours: learned ones, those nobody answers for, and those of a control plane") {
    const auto seen = neighbours_in("neighbours");
    CHECK(seen.at("10.0.0.8").neighbour == neighbour("10.0.0.8", "0c:42:a1:00:00:08", "stale"));
    CHECK(seen.at("10.0.0.5").neighbour.mac.empty());
    CHECK_FALSE(seen.at("10.0.0.5").neighbour.is_permanent());
    CHECK(seen.at("10.0.0.7").neighbour.state == "extern_learn");
}

TEST_CASE("neighbours: no proxy and nothing that the kernel computes") {
    const auto seen = neighbours_in("neighbours");
    CHECK_FALSE(seen.contains("10.0.0.6"));
    for (const auto& [ip, answer] : seen)
        CHECK_MESSAGE(!ip.starts_with("ff02:"), ip);
}

}  // namespace neighbour_codec_test
