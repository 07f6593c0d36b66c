// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/genetlink.h>

#include "netlink/ethtool/codecs.hpp"
#include "netlink/transport/socket.hpp"
#include "tests/unit/wire.hpp"

namespace link_modes_codec_test {

namespace {

core::LinkModes modes_in(const std::string& capture) {
    const auto modes = netlink::decode_link_modes(wire::messages("6.1/" + capture).front().payload);
    REQUIRE(modes.has_value());
    return *modes;
}

core::Fec fec_in(const std::string& capture) {
    const auto fec = netlink::decode_fec(wire::messages("6.1/" + capture).front().payload);
    REQUIRE(fec.has_value());
    return *fec;
}

int refusal_in(const std::string& capture) {
    const wire::Message message = wire::messages("6.1/" + capture, NLMSG_ERROR).front();
    const auto error = netlink::error_in(message.header, message.payload);
    REQUIRE(error.has_value());
    return error->code;
}

}  // namespace

KERNELS_TEST_CASE("link_modes: a port that negotiates offers all it has, and has no one speed") {
    CHECK(modes_in("ethtool-linkmodes-all") ==
          core::LinkModes{.autoneg = true,
                          .duplex = "full",
                          .offered = {{"25000baseCR/Full", true},
                                      {"50000baseCR2/Full", true},
                                      {"100000baseCR2/Full", true},
                                      {"100000baseCR4/Full", true}},
                          .fec = {"baser", "off", "rs"},
                          .can_negotiate = true});
}

KERNELS_TEST_CASE("link_modes: the speed is what all offered modes have in common") {
    const core::LinkModes modes = modes_in("ethtool-linkmodes-offered");
    CHECK(modes.autoneg);
    CHECK(modes.speed == 100000U);
    CHECK_FALSE(modes.lanes.has_value());
    CHECK_FALSE(modes.offered.at("25000baseCR/Full"));
}

KERNELS_TEST_CASE("link_modes: a forced speed, beside which mlx5 offers that one alone") {
    const core::LinkModes modes = modes_in("ethtool-linkmodes-forced");
    CHECK_FALSE(modes.autoneg);
    CHECK(modes.speed == 25000U);
    CHECK(modes.duplex == "full");
    CHECK_FALSE(modes.lanes.has_value());
    CHECK(modes.offered.at("25000baseCR/Full"));
    CHECK_FALSE(modes.offered.at("100000baseCR4/Full"));
    CHECK(refusal_in("ethtool-linkmodes-refused") == EINVAL);
}

KERNELS_TEST_CASE("fec: what is asked for, and what is in use") {
    CHECK(fec_in("ethtool-fec") == core::Fec{.mode = "auto", .active = "rs"});
    CHECK(fec_in("ethtool-fec-rs") == core::Fec{.mode = "rs", .active = "rs"});
    CHECK(refusal_in("ethtool-fec-none") == EOPNOTSUPP);
}

}  // namespace link_modes_codec_test
