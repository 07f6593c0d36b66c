// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>

#include "cli/run/codecs.hpp"
#include "cli/seal/allowed_calls.hpp"
#include "core/doctor/examination.hpp"
#include "core/json/json.hpp"
#include "core/plan/judge.hpp"
#include "core/profile/resolve.hpp"
#include "netlink/fwctl/codecs.hpp"
#include "netlink/fwctl/firmware.hpp"
#include "netlink/transport/error.hpp"
#include "netlink/transport/machine.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace fwctl_test {

using namespace core;
using netlink::CongestionPoint;
using netlink::StoredItem;
using Answer = std::vector<std::byte>;

// The bytes are written from the layouts that the headers of netlink/fwctl name: nobody of this
// project has met a NIC with fwctl.

namespace {

std::string hexadecimal(const Answer& bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const std::byte byte : bytes) {
        const auto value = std::to_integer<unsigned>(byte);
        out += digits[value >> 4U];
        out += digits[value & 0xfU];
    }
    return out;
}

/// The digits are two a byte, and spaces are passed over; zeros follow up to the size.
Answer bytes_of(std::string_view text, std::size_t size) {
    std::string digits(text);
    std::erase(digits, ' ');
    Answer out;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
        out.push_back(static_cast<std::byte>(std::stoul(digits.substr(at, 2), nullptr, 16)));
    out.resize(std::max(size, out.size()));
    return out;
}

/// The answer with these bytes at that place.
Answer with(Answer answer, std::size_t at, std::string_view text) {
    const Answer bytes = bytes_of(text, 0);
    std::ranges::copy(bytes, answer.begin() + static_cast<std::ptrdiff_t>(at));
    return answer;
}

Answer zeros(std::size_t size) {
    return Answer(size);
}

}  // namespace

TEST_CASE("fwctl: requests to mlx5 have the vendor's numbers at the vendor's places") {
    // opcode 0x822, priority 5 and protocol 2 in the lowest byte of the third word
    const auto status = netlink::cong_status_request(CongestionPoint::notification, 5);
    CHECK(hexadecimal(status.bytes) ==
          "08220000"
          "00000000"
          "00000052"
          "00000000");
    CHECK(status.answer == 16);
    const auto params = netlink::cong_params_request(CongestionPoint::reaction);
    CHECK(hexadecimal(params.bytes) ==
          "08240000"
          "00000000"
          "00000001"
          "00000000");
    CHECK(params.answer == 16 + 0x100);
    // ACCESS_REG, op_mod 1 (read), register 0x402c
    const auto accl = netlink::roce_accl_request();
    CHECK(hexadecimal(accl.bytes).substr(0, 32) ==
          "08050000"
          "00000001"
          "0000402c"
          "00000000");
    CHECK(accl.bytes.size() == 16 + 0x80);
    CHECK(accl.answer == accl.bytes.size());
    // register 0x9024, an item of 68 bytes of class 1, port 2, number 0x108
    const auto stored = netlink::stored_request(StoredItem::roce_cc_ecn, 2);
    CHECK(hexadecimal(stored.bytes).substr(0, 56) ==
          "08050000"
          "00000001"
          "00009024"
          "00000000"
          "00000044"
          "01020108"
          "00000000");
    CHECK(stored.bytes.size() == 16 + 0x10c);
}

TEST_CASE("fwctl: requests to bnxt are those that its driver makes") {
    // type, ring 0xffff, sequence, target 0xffff, no address of an answer, flags IVLAN
    CHECK(hexadecimal(netlink::pri2cos_request().bytes) ==
          "3700ffff0000ffff"
          "0000000000000000"
          "0200000000000000");
    CHECK(hexadecimal(netlink::cos2bw_request().bytes) ==
          "3900ffff0000ffff"
          "0000000000000000"
          "0000000000000000");
    CHECK(netlink::cos2bw_request().answer == 112);
}

TEST_CASE("fwctl: what mlx5 refuses is said in the vendor's words, and so is what it cut short") {
    CHECK(netlink::decode_mlx5_refusal(zeros(16)).empty());
    CHECK(netlink::decode_mlx5_refusal(bytes_of("03000000 000001c4", 16)) ==
          "bad parameter (status 0x3, syndrome 0x1c4)");
    CHECK(netlink::decode_mlx5_refusal(bytes_of("77000000", 16)) ==
          "refused (status 0x77, syndrome 0x0)");
    CHECK(netlink::decode_mlx5_refusal(zeros(7)) == "the answer is too short");
    CHECK(netlink::decode_hwrm_refusal(zeros(8)).empty());
    CHECK(netlink::decode_hwrm_refusal(bytes_of("0200", 8)) == "error 2");
    CHECK(netlink::decode_hwrm_refusal(zeros(7)) == "the answer is too short");
}

TEST_CASE("fwctl: a priority of mlx5 is on by the uppermost bit alone") {
    CHECK(netlink::decode_cong_status(with(zeros(16), 12, "80000000")) == true);
    CHECK(netlink::decode_cong_status(with(zeros(16), 12, "7fffffff")) == false);
    CHECK_FALSE(netlink::decode_cong_status(zeros(15)));
}

TEST_CASE("fwctl: numbers of congestion control are at the places of mlx5_ifc.h") {
    // of the notification point: 4 us, DSCP 48, a fixed priority 6
    Answer answer = with(with(zeros(272), 16 + 20, "00000004"), 16 + 24, "00003006");
    CHECK(netlink::decode_cong_params(answer, CongestionPoint::notification) ==
          Fwctl::Numbers{{"np_min_time_between_cnps", 4},
                         {"np_cnp_dscp", 48},
                         {"np_cnp_prio_mode", 0},
                         {"np_cnp_prio", 6}});
    // of the reaction point, each with its own number
    answer = with(zeros(272), 16 + 12, "08000000");
    for (unsigned i = 0; i < 9; ++i)
        answer = with(answer, 16 + 20 + 4 * i + 3, "1" + std::to_string(i));
    answer = with(answer, 16 + 84, "00000021 00000022 00000023 00000024 00000000 00000025");
    CHECK(netlink::decode_cong_params(answer, CongestionPoint::reaction) ==
          Fwctl::Numbers{{"rp_clamp_tgt_rate", 1},
                         {"rp_clamp_tgt_rate_ati", 0},
                         {"rp_time_reset", 0x10},
                         {"rp_byte_reset", 0x11},
                         {"rp_threshold", 0x12},
                         {"rp_max_rate", 0x13},
                         {"rp_ai_rate", 0x14},
                         {"rp_hai_rate", 0x15},
                         {"rp_gd", 0x16},
                         {"rp_min_dec_fac", 0x17},
                         {"rp_min_rate", 0x18},
                         {"rp_rate_to_set_on_first_cnp", 0x21},
                         {"rp_dce_tcp_g", 0x22},
                         {"rp_dce_tcp_rtt", 0x23},
                         {"rp_rate_reduce_monitor_period", 0x24},
                         {"rp_initial_alpha_value", 0x25}});
    CHECK(netlink::decode_cong_params(zeros(16), CongestionPoint::reaction).empty());
}

TEST_CASE("fwctl: of ROCE_ACCL counts what the NIC has a choice of") {
    // choice of the first four and of bit 9; on are the first, the third and bit 5
    const Answer answer = with(zeros(16 + 0x80), 16, "0000020f 00000025");
    CHECK(netlink::decode_roce_accl(answer) == Fwctl::Switches{{"roce_adp_retrans_en", true},
                                                               {"roce_tx_window_en", false},
                                                               {"roce_slow_restart_en", true},
                                                               {"roce_slow_restart_idle_en", false},
                                                               {"ack_dscp_force", false}});
    CHECK(netlink::decode_roce_accl(zeros(20)).empty());
}

TEST_CASE("fwctl: stored values go as far as the answer says that the item is long") {
    const Answer answer =
        with(zeros(16 + 0x10c), 16, "00000004 01010107 00000000 80000008 ffffffff");
    CHECK(netlink::decode_stored(answer, StoredItem::roce_cc, 1) ==
          Fwctl::Numbers{{"ROCE_CC_PRIO_MASK_P1", 8}, {"ROCE_CC_ALGORITHM_P1", 1}});
    CHECK(netlink::decode_stored(with(answer, 16, "00000003"), StoredItem::roce_cc, 1).empty());
    CHECK(netlink::decode_stored(zeros(20), StoredItem::roce_cc, 1).empty());
    // DSCP 48 and priority 6 of notifications are in the last of 17 words
    const Answer ecn = with(with(zeros(16 + 0x10c), 16, "00000044"), 16 + 12 + 64, "00003006");
    const Fwctl::Numbers stored = netlink::decode_stored(ecn, StoredItem::roce_cc_ecn, 2);
    CHECK(stored.size() == 21);
    CHECK(stored.at("CNP_DSCP_P2") == 48);
    CHECK(stored.at("CNP_802P_PRIO_P2") == 6);
}

TEST_CASE("fwctl: the queues of bnxt are those that priorities are sent by") {
    // error, type, sequence, length; priority 3 by queue 4, 6 by 5, 7 by none, all others by 0
    const Answer map = bytes_of("0000370001001800 00000004000005ff 0000000000000001", 24);
    const Fwctl::Numbers queues = netlink::decode_pri2cos(map);
    CHECK(queues ==
          Fwctl::Numbers{{"0", 0}, {"1", 0}, {"2", 0}, {"3", 4}, {"4", 0}, {"5", 0}, {"6", 5}});
    CHECK(netlink::decode_pri2cos(zeros(15)).empty());
    // queue 0: ets with 40 percent; then packed by 12 bytes: 4: ets with 60, 5: strict; and one
    // that is not used
    Answer turns = with(zeros(112), 8, "00 00 0000 00000000 00000000 01 00 28");
    turns = with(turns, 23, "04 00000000 00000000 01 00 3c");
    turns = with(turns, 35, "05 00000000 00000000 00 07 00");
    turns = with(turns, 47, "01 00000000 00000000 01 00 63");
    const netlink::CosQueues held = netlink::decode_cos2bw(turns, queues);
    CHECK(held.algorithm == Fwctl::Texts{{"0", "ets"}, {"4", "ets"}, {"5", "strict"}});
    CHECK(held.share == Fwctl::Numbers{{"0", 40}, {"4", 60}});
    CHECK(netlink::decode_cos2bw(zeros(22), queues).algorithm.empty());
}

TEST_CASE("fwctl: a port is asked by the one device of its NIC, and says why it is not") {
    const OwnRoot root;
    netlink::Machine machine(root.path());
    Port port = hosts::port("mlx5_core");
    port.fwctl.reset();
    const auto asked = [&] {
        Port now = port;
        netlink::attempt(now, {Object::fwctl}, [&] { netlink::read_fwctl(machine, now); });
        CHECK_FALSE(now.fwctl);
        const auto refused = now.refused.find(Object::fwctl);
        return refused == now.refused.end() ? Refusal{} : refused->second;
    };
    CHECK(asked().code == EOPNOTSUPP);  // no device behind it, as with a bond
    const std::string device = "/sys/class/net/" + port.name + "/device/";
    create_directories(root.file(device + "vendor"));
    CHECK(asked().code == EOPNOTSUPP);
    create_directories(root.file(device + "fwctl/fwctl3"));
    CHECK(asked().code == ENOENT);  // of /dev/fwctl/fwctl3
    std::ofstream(root.file("/dev/fwctl/fwctl3")) << "no device";
    CHECK(asked().code == ENOTTY);
    Port representor = port;
    representor.link->function = "rep";
    netlink::attempt(representor, {Object::fwctl},
                     [&] { netlink::read_fwctl(machine, representor); });
    CHECK(representor.refused.at(Object::fwctl).code == EOPNOTSUPP);
    create_directories(root.file(device + "fwctl/fwctl4"));
    CHECK(asked().code == EOPNOTSUPP);
    CHECK(asked().text.find("several fwctl devices") != std::string::npos);
}

TEST_CASE("fwctl: firmware is asked by no codec but where a command is told to") {
    for (const netlink::Codec& codec : cli::codecs())
        CHECK(codec.asks_firmware == (codec.object == Object::fwctl));
}

TEST_CASE("fwctl: its requests pass the seal of who asks firmware, and no other") {
    using cli::SealedFor;
    for (const SealedFor purpose : {SealedFor::files, SealedFor::devices, SealedFor::rights,
                                    SealedFor::firmware, SealedFor::sending, SealedFor::loopback}) {
        const auto calls = cli::allowed_calls(purpose);
        const auto ioctl =
            std::ranges::find(calls, std::uint32_t{SYS_ioctl}, &cli::AllowedCall::number);
        REQUIRE(ioctl != calls.end());
        const auto& requests = ioctl->conditions.at(0).values;
        for (const std::uint32_t request : {netlink::kFwctlInfo, netlink::kFwctlRpc})
            CHECK((std::ranges::find(requests, request) != requests.end()) ==
                  (purpose == SealedFor::firmware));
    }
}

namespace {

Plan with_expectation(const State& state) {
    const Profile profile = load_profile(
        {.name = "main.json", .text = R"({"format": 1, "ports": [{"match": {"name": "ens1f0"},
                     "facts": {"fwctl": {"notify": {"3": true}}}}]})"},
        nullptr);
    Plan plan = make_plan(resolve(profile, {}, state), state);
    count_facts(plan.findings);
    return plan;
}

State told(std::optional<Fwctl> fwctl) {
    State state = hosts::host("mlx5_core");
    state.ports[0].fwctl = std::move(fwctl);
    return state;
}

}  // namespace

TEST_CASE("fwctl: what is expected of firmware holds where it said so, and never unasked") {
    CHECK(satisfied(with_expectation(told(Fwctl{.notify = {{{"3", true}}}}))));
    const Plan otherwise = with_expectation(told(Fwctl{.notify = {{{"3", false}}}}));
    REQUIRE(otherwise.findings.size() == 1);
    CHECK(otherwise.findings[0].level == Finding::Level::failure);
    CHECK(otherwise.findings[0].text == "expected on, found off (main.json:2)");
    for (const auto& fwctl :
         {std::optional<Fwctl>(), std::optional(Fwctl{.react = {{{"3", true}}}})}) {
        const Plan unasked = with_expectation(told(fwctl));
        REQUIRE(unasked.findings.size() == 1);
        CHECK(unasked.findings[0].level == Finding::Level::unknown);
        CHECK_FALSE(satisfied(unasked));
    }
    CHECK(with_expectation(told({})).findings[0].text.starts_with(
        "the NIC's firmware was not asked"));
}

TEST_CASE("fwctl: a state keeps all that firmware told") {
    const Fwctl fwctl{.notify = {{{"0", false}, {"3", true}}},
                      .react = {{{"3", true}}},
                      .cc_params = {{{"np_cnp_dscp", 48}}},
                      .roce_accl = {{{"roce_tx_window_en", false}}},
                      .stored = {{{"ROCE_CC_PRIO_MASK_P1", 255}}},
                      .priority_queue = {{{"3", 4}}},
                      .queue_algorithm = {{{"4", "ets"}}},
                      .queue_share = {{{"4", 60}}},
                      .refused = {{{"ROCE_ACCL", "bad parameter (status 0x3, syndrome 0x1c4)"}}}};
    const State state = told(fwctl);
    const State again = parse_state(written(state), "the test", Values::observed);
    REQUIRE(again.ports.size() == 1);
    CHECK(again.ports[0].fwctl == fwctl);
}

}  // namespace fwctl_test
