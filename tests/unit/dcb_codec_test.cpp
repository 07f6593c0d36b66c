// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "dcb/codecs.hpp"
#include "dcb/exchange.hpp"
#include "tests/unit/wire.hpp"

namespace dcb_codec_test {

namespace {

dcb::Ieee ieee_in(const std::string& capture) {
    return dcb::decode_ieee(wire::messages(capture, RTM_GETDCB).front().payload);
}

template <typename Struct>
bool same_bytes(const Struct& left, const Struct& right) {
    return std::memcmp(&left, &right, sizeof(Struct)) == 0;
}

std::optional<std::uint8_t> status_in(const std::string& capture, int attribute) {
    const wire::Message answer = wire::messages(capture, RTM_SETDCB).front();
    return dcb::attributes_of(answer.payload).value<std::uint8_t>(attribute);
}

}  // namespace

KERNELS_TEST_CASE("ets, pfc, app: one answer holds them") {
    const dcb::Ieee ieee = ieee_in("ieee");
    REQUIRE(ieee.ets.has_value());
    REQUIRE(ieee.pfc.has_value());
    CHECK(dcb::from_wire(*ieee.ets) == core::Ets{.traffic_class = {0, 0, 0, 3, 0, 0, 6, 0},
                                                 .algorithm = {2, 0, 0, 2, 0, 0, 0, 0},
                                                 .bandwidth = {50, 0, 0, 50, 0, 0, 0, 0},
                                                 .capability = 8});
    CHECK(dcb::from_wire(*ieee.pfc) == core::Pfc{.priorities = 0x08, .delay = 50, .capability = 8});
    core::App app;
    app.entries = {{core::AppEntry::dscp, 26, 3}, {core::AppEntry::dscp, 48, 6}};
    CHECK(ieee.app == app);
}

TEST_CASE("app, rewrite: the trust and rewrite tables are in the same answer since Linux 6.3") {
    for (const std::string kernel : {"6.12/", "7.3/"}) {
        INFO(kernel);
        const dcb::Ieee ieee = ieee_in(kernel + "dcb-tables");
        REQUIRE(ieee.rewrite.has_value());
        CHECK(ieee.rewrite->entries == std::set<core::AppEntry>{{core::AppEntry::dscp, 26, 3}});
        REQUIRE(ieee.app.has_value());
        CHECK(ieee.app->trust ==
              std::vector<std::uint8_t>{core::AppEntry::dscp, core::AppEntry::pcp});
        // A driver without them: the kernel keeps the one, and has not the other.
        const dcb::Ieee without = ieee_in(kernel + "dcb-mlx5");
        CHECK(without.rewrite == core::Rewrite{});
        CHECK_FALSE(without.app->trust.has_value());
    }

    const dcb::Ieee old = ieee_in("6.1/dcb-tables");
    CHECK_FALSE(old.rewrite.has_value());
    CHECK_FALSE(old.app->trust.has_value());
}

KERNELS_TEST_CASE("dcb: what is written starts from what was read") {
    const dcb::Ieee ieee = ieee_in("ieee");
    REQUIRE(ieee.ets.has_value());
    REQUIRE(ieee.pfc.has_value());
    CHECK(same_bytes(dcb::to_wire(*ieee.ets, dcb::from_wire(*ieee.ets)), *ieee.ets));
    CHECK(same_bytes(dcb::to_wire(*ieee.pfc, dcb::from_wire(*ieee.pfc)), *ieee.pfc));

    ieee_pfc pfc = *ieee.pfc;
    pfc.mbc = 1;
    const ieee_pfc written = dcb::to_wire(pfc, {.priorities = 0x10, .delay = 7});
    CHECK(written.pfc_en == 0x10);
    CHECK(written.delay == 7);
    CHECK(written.mbc == 1);

    ieee_ets ets = *ieee.ets;
    ets.tc_reco_bw[2] = 9;
    ets.willing = 1;
    CHECK(dcb::to_wire(ets, {}).tc_reco_bw[2] == 9);
    CHECK(dcb::to_wire(ets, {}).willing == 1);
    CHECK(dcb::to_wire(ets, {}).prio_tc[3] == 0);
}

TEST_CASE("maxrate: rate limits are in the same answer, and absent where the driver has none") {
    // dcb of iproute2 7.3 makes kbit of the bytes it is reported, of which mlx5 takes whole 100
    // Mbit/s; that of 6.1 hands them on.
    const std::map<std::string, core::MaxRate> said = {
        {"ieee-limits", {.kbit = {0, 0, 0, 25'500'000, 0, 0, 100'000'000, 0}}},
        {"7.3/ieee-limits", {.kbit = {0, 0, 0, 200'000, 0, 0, 800'000, 0}}}};
    for (const auto& [capture, rates] : said) {
        INFO(capture);
        const dcb::Ieee ieee = ieee_in(capture);
        REQUIRE(ieee.maxrate.has_value());
        CHECK(dcb::from_wire(*ieee.maxrate) == rates);
        CHECK(same_bytes(dcb::to_wire(dcb::from_wire(*ieee.maxrate)), *ieee.maxrate));
    }
    CHECK_FALSE(ieee_in("6.1/dcb-bnxt").maxrate.has_value());
}

KERNELS_TEST_CASE(
    "buffer: receive buffers are in the same answer, and absent where the driver has none") {
    const dcb::Ieee ieee = ieee_in("ieee-limits");
    REQUIRE(ieee.buffer.has_value());
    CHECK(dcb::from_wire(*ieee.buffer) ==
          core::Buffer{.of_priority = {0, 0, 0, 1}, .size = {131072, 131072}, .total = 524032});
    CHECK(same_bytes(dcb::to_wire(dcb::from_wire(*ieee.buffer)), *ieee.buffer));
    CHECK_FALSE(ieee_in("6.1/dcb-bnxt").buffer.has_value());
}

KERNELS_TEST_CASE("dcb: a set answers with a status of its own") {
    CHECK(status_in("app-set", DCB_ATTR_IEEE) == 0);
    CHECK_FALSE(dcb::error_in_status(0).has_value());
    REQUIRE(status_in("app-refused", DCB_ATTR_IEEE).has_value());
    const auto error = dcb::error_in_status(*status_in("app-refused", DCB_ATTR_IEEE));
    REQUIRE(error.has_value());
    CHECK(error->code == EINVAL);
    CHECK(error->what() == std::string("Invalid argument"));
}

TEST_CASE("dcb: small codes are a driver's own and no error, 244 is the kernel's ENOTSUPP") {
    CHECK_FALSE(dcb::error_in_status(1).has_value());
    CHECK_FALSE(dcb::error_in_status(2).has_value());
    const auto not_supported = dcb::error_in_status(244);
    REQUIRE(not_supported.has_value());
    CHECK(not_supported->code == EOPNOTSUPP);
    const auto exists = dcb::error_in_status(239);
    REQUIRE(exists.has_value());
    CHECK(exists->code == EEXIST);
}

KERNELS_TEST_CASE("dcbx: it is one byte, and its refusal is 1") {
    const auto bits = dcb::decode_dcbx(wire::messages("dcbx", RTM_GETDCB).front().payload);
    CHECK(bits == core::Dcbx::cee + core::Dcbx::ieee);
    CHECK(status_in("dcbx-refused", DCB_ATTR_DCBX) == 1);
}

}  // namespace dcb_codec_test
