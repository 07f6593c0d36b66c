// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "tests/unit/wire.hpp"

namespace ethtool_codec_test {

namespace {

/// The answer with one ethtool command among a capture's generic netlink messages. The control
/// family's messages have a type of their own.
wire::Message answer(const std::string& capture, std::uint8_t command) {
    for (wire::Message& message : wire::messages(capture)) {
        const auto header = netlink::header_of<genlmsghdr>(message.payload);
        if (message.header.nlmsg_type > GENL_ID_CTRL && header && header->cmd == command)
            return std::move(message);
    }
    FAIL("no answer " << int{command} << " in " << capture);
    return {};
}

}  // namespace

KERNELS_TEST_CASE("pause: as a NIC comes up") {
    const wire::Message message = answer("pause", ETHTOOL_MSG_PAUSE_GET_REPLY);
    CHECK(netlink::decode_pause(message.payload) ==
          core::Pause{.rx = true, .tx = true, .autoneg = false});
}

namespace {

/// Names as ETHTOOL_GSTRINGS answers them.
std::vector<std::byte> padded(const std::vector<std::string>& names) {
    std::vector<std::byte> out(names.size() * ETH_GSTRING_LEN);
    for (std::size_t i = 0; i < names.size(); ++i)
        std::memcpy(out.data() + i * ETH_GSTRING_LEN, names[i].data(),
                    std::min<std::size_t>(names[i].size(), ETH_GSTRING_LEN));
    return out;
}

}  // namespace

TEST_CASE("statistics: by the driver's names, without those of single queues") {
    const auto names =
        padded({"rx_prio3_pause", "  rx_bytes", "tx_pause_storm_warning_events ", "rx12_packets",
                "tx0_3_bytes", "ch5_events", "[4]: rx_ucast_packets", "tx_queue_7_bytes", "",
                std::string(ETH_GSTRING_LEN, 'x'), "tx_priority_3_xoff.nic", "beyond"});
    const std::vector<std::uint64_t> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    CHECK(netlink::decode_statistics(names, values) ==
          core::Statistics{{"rx_prio3_pause", 1},
                           {"rx_bytes", 2},
                           {"tx_pause_storm_warning_events", 3},
                           {std::string(ETH_GSTRING_LEN, 'x'), 10},
                           {"tx_priority_3_xoff.nic", 11}});
    CHECK(netlink::decode_statistics({}, values).empty());
}

KERNELS_TEST_CASE("statistics: a driver that counts no blocks of error correction") {
    const wire::Message message = answer("6.1/ethtool-fec", ETHTOOL_MSG_FEC_GET_REPLY);
    CHECK(netlink::decode_fec_statistics(message.payload).empty());
}

TEST_CASE("statistics: blocks that error correction could not fix, of all lanes") {
    // A nest of lists, of which the first number is the total (net/ethtool/fec.c).
    netlink::Message wanted(0);
    wanted.put_header(genlmsghdr{.cmd = ETHTOOL_MSG_FEC_GET_REPLY, .version = 1, .reserved = 0});
    const std::array<std::uint64_t, 3> fixed = {70, 40, 30};
    const std::array<std::uint64_t, 1> lost = {2};
    wanted.nest(ETHTOOL_A_FEC_STATS, [&] {
        wanted.put(ETHTOOL_A_FEC_STAT_CORRECTED, fixed);
        wanted.put(ETHTOOL_A_FEC_STAT_UNCORR, lost);
    });
    const nlmsghdr* const header = nlmsg_hdr(wanted.raw());
    const netlink::Bytes payload(static_cast<const std::byte*>(nlmsg_data(header)),
                                 static_cast<std::size_t>(nlmsg_datalen(header)));
    CHECK(netlink::decode_fec_statistics(payload) ==
          core::Statistics{{"fec_corrected_blocks", 70}, {"fec_uncorrectable_blocks", 2}});
}

KERNELS_TEST_CASE("speed: in Mb/s") {
    const wire::Message message = answer("speed", ETHTOOL_MSG_LINKMODES_GET_REPLY);
    CHECK(netlink::decode_speed(message.payload) == 100000U);
}

KERNELS_TEST_CASE("speed: an unknown one is none") {
    wire::Message message = answer("speed", ETHTOOL_MSG_LINKMODES_GET_REPLY);
    const auto speed =
        netlink::Attributes::after<genlmsghdr>(message.payload).find(ETHTOOL_A_LINKMODES_SPEED);
    REQUIRE(speed.has_value());
    const auto at = static_cast<std::size_t>(speed->data() - message.payload.data());
    for (const std::byte byte : {std::byte{0xff}, std::byte{0}}) {
        std::fill_n(message.payload.begin() + static_cast<std::ptrdiff_t>(at), 4, byte);
        CHECK_FALSE(netlink::decode_speed(message.payload).has_value());
    }
}

TEST_CASE("storm_prevention: the tunable, as include/uapi/linux/ethtool.h lays it out") {
    const netlink::Tunable tunable = netlink::storm_tunable(ETHTOOL_STUNABLE, 0x1234);
    const std::array<unsigned, 18> bytes = {0x49, 0, 0, 0, 3, 0, 0, 0,    2,
                                            0,    0, 0, 2, 0, 0, 0, 0x34, 0x12};
    REQUIRE(tunable.size() == bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        CHECK(std::to_integer<unsigned>(tunable.at(i)) == bytes.at(i));
    CHECK(netlink::number_in(tunable) == 0x1234);
}

}  // namespace ethtool_codec_test
