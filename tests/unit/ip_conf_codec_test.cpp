// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/rtnetlink.h>

#include "netlink/files/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace ip_conf_codec_test {

using netlink::decode_ip_conf;
using netlink::IpConf;

KERNELS_TEST_CASE("ipv4, ipv6: what a link says of its files") {
    // arp_ignore, arp_announce, rp_filter, accept_local as a stock kernel has them.
    const std::vector<IpConf> said = wire::decoded(
        "link-port", RTM_NEWLINK,
        [](netlink::Bytes payload) { return std::optional(decode_ip_conf(payload)); });
    REQUIRE_FALSE(said.empty());
    // The last answer: ip of iproute2 7.3 asks first for no more than the number of the link.
    CHECK(said.back() == IpConf{.ipv4 = {{0, 0, 0, 0}}, .addr_gen_mode = 0});
}

TEST_CASE("ipv4, ipv6: no bytes say nothing") {
    CHECK(decode_ip_conf({}) == IpConf{});
}

}  // namespace ip_conf_codec_test
