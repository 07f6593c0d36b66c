// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/genetlink.h>

#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "tests/unit/wire.hpp"

namespace features_codec_test {

namespace {

core::Features features_in(const std::string& capture) {
    const auto features =
        netlink::decode_features(wire::messages("6.1/" + capture).front().payload);
    REQUIRE(features.has_value());
    return *features;
}

}  // namespace

KERNELS_TEST_CASE("features: every name with its state, and those that are fixed") {
    const core::Features features = features_in("ethtool-features");
    CHECK(features.active.at("tx-scatter-gather"));
    CHECK_FALSE(features.active.at("rx-gro"));
    CHECK_FALSE(features.active.at("tx-checksum-ipv4"));
    CHECK(features.fixed.contains("tx-checksum-ipv4"));
    CHECK_FALSE(features.fixed.contains("rx-gro"));
    CHECK(features.requested.empty());
}

TEST_CASE("features: each kernel has those of its time") {
    const auto of = [](const std::string& capture) {
        return netlink::decode_features(wire::messages(capture).front().payload).value();
    };
    const core::Features old = of("6.1/ethtool-features");
    CHECK(old.active.size() == 62);
    CHECK(old.active.at("tx-lockless"));
    CHECK(old.fixed.contains("tx-lockless"));
    const core::Features now = of("7.3/ethtool-features");
    CHECK(now.active.size() == 59);
    CHECK(now.active.contains("tx-tcp-accecn-segmentation"));
    CHECK_FALSE(now.active.contains("tx-lockless"));
}

KERNELS_TEST_CASE("features: what was asked for and is not so") {
    const core::Features features = features_in("ethtool-features-requested");
    CHECK_FALSE(features.active.at("tx-tcp-segmentation"));
    CHECK(features.requested == core::Flags{{"tx-generic-segmentation", true},
                                            {"tx-tcp-ecn-segmentation", true},
                                            {"tx-tcp-mangleid-segmentation", true},
                                            {"tx-tcp-segmentation", true},
                                            {"tx-tcp6-segmentation", true}});
}

KERNELS_TEST_CASE("features: the answer to a request names what is not so") {
    const auto message = wire::messages("6.1/ethtool-features-unmet").front();
    CHECK(netlink::decode_unmet_features(message.payload) ==
          core::Flags{{"tx-tcp-segmentation", true}});
}

}  // namespace features_codec_test
