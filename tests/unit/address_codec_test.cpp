// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/rtnetlink.h>

#include "netlink/ip/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace address_codec_test {

using netlink::AddressAnswer;
using netlink::decode_address;

namespace {

core::Address address(const std::string& text, bool by_kernel = false) {
    const auto prefix = core::parse_prefix(text);
    REQUIRE(prefix.has_value());
    return {.ip = prefix->ip, .prefix_length = prefix->length, .by_kernel = by_kernel};
}

/// Of one link, in the order of the kernel.
std::vector<core::Address> addresses_of(std::uint32_t index) {
    std::vector<core::Address> addresses;
    for (const AddressAnswer& answer : wire::decoded("addresses", RTM_NEWADDR, decode_address))
        if (answer.index == index) addresses.push_back(answer.address);
    return addresses;
}

}  // namespace

TEST_CASE("addresses: stated ones, one with a peer, one with a lifetime, and the link-local one") {
    const std::vector<core::Address> expected = {
        address("10.0.0.1/24"),
        // The own address, though IFA_ADDRESS holds the peer's; the length is the peer's network.
        address("10.0.1.1/32"),
        address("10.0.2.1/24", true),
        address("10.0.0.2/24"),
        address("fd00::1/64"),
        address("fe80::5eff:fe00:0/64", true),
    };
    CHECK(addresses_of(2) == expected);
}

KERNELS_TEST_CASE("addresses: what no setting holds is named") {
    std::vector<std::string> beyond;
    for (const AddressAnswer& answer : wire::decoded("addresses", RTM_NEWADDR, decode_address)) {
        if (answer.index == 2 && !answer.beyond.empty()) beyond.push_back(answer.beyond);
        if (answer.index == 2 && !answer.address.ip.v6) CHECK(answer.label == "sim0");
    }
    CHECK(beyond == std::vector<std::string>{"peer 10.0.1.9"});
}

TEST_CASE("addresses: those of the loopback are the kernel's") {
    CHECK(addresses_of(1) ==
          std::vector<core::Address>{address("127.0.0.1/8", true), address("::1/128", true)});
}

TEST_CASE("addresses: bytes of any other length are none") {
    const std::array<std::byte, 17> bytes{};
    CHECK(netlink::ip_of(std::span(bytes).first(4)).has_value());
    CHECK(netlink::ip_of(std::span(bytes).first(16)).has_value());
    for (const std::size_t length : {0U, 3U, 5U, 15U, 17U})
        CHECK_FALSE(netlink::ip_of(std::span(bytes).first(length)).has_value());
}

}  // namespace address_codec_test
