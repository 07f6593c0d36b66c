// SPDX-License-Identifier: Apache-2.0
#include "core/model/ip.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>

#include <random>

namespace ip_test {
namespace {

std::string as_libc(const core::Ip& ip) {
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    inet_ntop(ip.v6 ? AF_INET6 : AF_INET, ip.bytes.data(), buffer.data(), buffer.size());
    return buffer.data();
}

/// Each group is 0, small or anything, so that runs of zeros of every length and place come up.
core::Ip some_ip(std::mt19937& random) {
    core::Ip ip{.v6 = random() % 4 != 0};
    for (std::size_t i = 0; i < (ip.v6 ? ip.bytes.size() : 4); i += 2) {
        const auto kind = random() % 3;
        if (kind > 0) ip.bytes.at(i + 1) = static_cast<std::uint8_t>(random());
        if (kind > 1) ip.bytes.at(i) = static_cast<std::uint8_t>(random());
    }
    return ip;
}

}  // namespace

TEST_CASE("ip: an address is spelled as libc does, and read back") {
    std::mt19937 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const core::Ip ip = some_ip(random);
        REQUIRE(text(ip) == as_libc(ip));
        REQUIRE(core::parse_ip(text(ip)) == ip);
    }
}

TEST_CASE("ip: the ends and the addresses that hold one of IPv4 are spelled as libc does") {
    for (const char* spelled : {"::", "::1", "1::", "::ffff:192.0.2.1", "::192.0.2.1", "::ffff",
                                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::1:0:0:1",
                                "2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1", "0:0:0:0:0:1::"}) {
        const auto ip = core::parse_ip(spelled);
        REQUIRE(ip);
        CHECK(text(*ip) == as_libc(*ip));
    }
}

TEST_CASE("ip: four numbers are an address where libc says so") {
    std::mt19937 random(1);
    const std::string_view bytes("0123456789..25.1", 16);
    for (int i = 0; i < 200'000; ++i) {
        std::string spelled;
        for (auto left = 5 + random() % 12; left > 0; --left)
            spelled += bytes[random() % bytes.size()];
        if (i % 2 == 0) spelled = "10.2." + spelled.substr(0, 6);
        std::array<unsigned char, 4> libc{};
        const bool is = inet_pton(AF_INET, spelled.c_str(), libc.data()) == 1;
        INFO(spelled);
        const auto ip = core::parse_ip(spelled);
        REQUIRE(ip.has_value() == is);
        if (is) REQUIRE(std::equal(libc.begin(), libc.end(), ip->bytes.begin()));
    }
}

TEST_CASE("ip: a network contains what is in it once all other bits are gone") {
    std::mt19937 random(1);
    int inside = 0;
    for (int i = 0; i < 100'000; ++i) {
        core::Prefix prefix{.ip = some_ip(random)};
        // The same bits up to a place, so that about half are inside.
        core::Ip ip = prefix.ip;
        ip.bytes.at(random() % (ip.v6 ? ip.bytes.size() : 4)) ^=
            static_cast<std::uint8_t>(random());
        if (random() % 16 == 0) ip.v6 = !ip.v6;
        prefix.length = static_cast<std::uint8_t>(random() % (prefix.ip.v6 ? 129 : 33));
        const bool is = ip.v6 == prefix.ip.v6 &&
                        core::network({.ip = ip, .length = prefix.length}) == core::network(prefix);
        INFO(core::text(prefix), " ", core::text(ip));
        REQUIRE(core::contains(prefix, ip) == is);
        inside += is ? 1 : 0;
    }
    CHECK(inside > 10'000);
    CHECK(inside < 90'000);
}

}  // namespace ip_test
