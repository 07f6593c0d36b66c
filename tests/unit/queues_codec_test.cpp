// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <algorithm>
#include <cerrno>

#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/transport/socket.hpp"
#include "tests/unit/wire.hpp"

namespace queues_codec_test {

namespace {

netlink::Bytes payload_of(const wire::Message& message) {
    return message.payload;
}

std::string refusal_in(const std::string& capture) {
    const wire::Message message = wire::messages(capture, NLMSG_ERROR).front();
    const auto error = netlink::error_in(message.header, message.payload);
    REQUIRE(error.has_value());
    return error->what();
}

}  // namespace

KERNELS_TEST_CASE("ring: sizes and the largest sizes") {
    const wire::Message message = wire::messages("6.1/ethtool-rings").front();
    CHECK(netlink::decode_ring(payload_of(message)) ==
          core::Ring{.rx = 1024, .tx = 1024, .rx_max = 8192, .tx_max = 8192});
}

KERNELS_TEST_CASE("channels: a kind that the port does not have is not there") {
    const wire::Message nic = wire::messages("6.1/ethtool-channels").front();
    CHECK(netlink::decode_channels(payload_of(nic)) ==
          core::Channels{.combined = 8, .combined_max = 8});
    const wire::Message veth = wire::messages("6.1/ethtool-channels-veth").front();
    CHECK(netlink::decode_channels(payload_of(veth)) ==
          core::Channels{.rx = 1, .tx = 1, .rx_max = 1, .tx_max = 1});
}

KERNELS_TEST_CASE("ring, channels: the kernel's words about what is too large") {
    CHECK(refusal_in("6.1/ethtool-rings-refused").find("requested ring size exceeds maximum") !=
          std::string::npos);
    CHECK(refusal_in("6.1/ethtool-channels-refused")
              .find("requested channel count exceeds maximum") != std::string::npos);
}

KERNELS_TEST_CASE("private_flags: every name with its state, those that are off too") {
    const wire::Message message = wire::messages("6.1/ethtool-privflags-ice").front();
    CHECK(netlink::decode_private_flags(payload_of(message)) ==
          core::Flags{{"link-down-on-close", false},
                      {"fw-lldp-agent", true},
                      {"vf-true-promisc-support", false},
                      {"mdd-auto-reset-vf", false},
                      {"vf-vlan-pruning", false},
                      {"legacy-rx", false}});
}

KERNELS_TEST_CASE("private_flags: what is put is what ethtool puts") {
    const wire::Message asked = wire::messages("6.1/request-ethtool-privflags-set").front();
    const auto attributes = netlink::Attributes::after<genlmsghdr>(asked.payload);
    const auto expected = attributes.find(ETHTOOL_A_PRIVFLAGS_FLAGS);
    REQUIRE(expected.has_value());
    netlink::Message request(0);
    netlink::put_bitset(request, ETHTOOL_A_PRIVFLAGS_FLAGS,
                        {{"rx_cqe_compress", false}, {"rx_cqe_moder", true}},
                        {{"rx_cqe_compress", true}, {"rx_cqe_moder", true}});
    const nlmsghdr* header = nlmsg_hdr(request.raw());
    const netlink::Bytes sent(static_cast<const std::byte*>(nlmsg_data(header)),
                              static_cast<std::size_t>(nlmsg_datalen(header)));
    const auto put = netlink::Attributes(sent).find(ETHTOOL_A_PRIVFLAGS_FLAGS);
    REQUIRE(put.has_value());
    CHECK(std::ranges::equal(*put, *expected));
}

}  // namespace queues_codec_test
