// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "netlink/fwctl/firmware.hpp"

namespace netlink {
namespace {

/// Bits of a word: which byte it starts at, its lowest bit of them, and how many they are.
struct Bits {
    std::size_t word = 0;
    unsigned low = 0;
    unsigned width = 0;
};

constexpr std::size_t kWord = 4;
constexpr unsigned kByteBits = 8;

constexpr std::uint32_t mask_of(const Bits& bits) {
    return bits.width == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits.width) - 1;
}

std::optional<std::uint32_t> value_in(Bytes bytes, const Bits& bits) {
    if (bytes.size() < bits.word + kWord) return std::nullopt;
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < kWord; ++i)
        word = word << kByteBits | std::to_integer<std::uint32_t>(bytes[bits.word + i]);
    return word >> bits.low & mask_of(bits);
}

void put_bits(std::vector<std::byte>& bytes, const Bits& bits, std::uint32_t value) {
    const std::uint32_t placed = (value & mask_of(bits)) << bits.low;
    for (std::size_t i = 0; i < kWord; ++i)
        bytes.at(bits.word + i) |=
            static_cast<std::byte>(placed >> kByteBits * static_cast<unsigned>(kWord - 1 - i));
}

// struct mlx5_ifc_mbox_in_hdr_bits and mlx5_ifc_mbox_out_hdr_bits
constexpr Bits kOpcode{0, 16, 16};
constexpr Bits kOperation{4, 0, 16};  // op_mod
constexpr Bits kStatus{0, 24, 8};
constexpr Bits kSyndrome{4, 0, 32};
constexpr std::size_t kMailHeader = 16;

// struct mlx5_ifc_query_cong_status_in_bits and _out_bits
constexpr Bits kProtocol{8, 0, 4};
constexpr Bits kOfPriority{8, 4, 4};
constexpr Bits kEnable{12, 31, 1};

// struct mlx5_ifc_access_register_in_bits
constexpr Bits kRegister{8, 0, 16};

// enum in mlx5_ifc.h
constexpr std::uint32_t kAccessReg = 0x805;
constexpr std::uint32_t kQueryCongStatus = 0x822;
constexpr std::uint32_t kQueryCongParams = 0x824;
constexpr std::uint32_t kRead = 1;

// union mlx5_ifc_cong_control_roce_ecn_auto_bits
constexpr std::uint32_t kParams = 0x100;

constexpr std::uint32_t kRoceAccl = 0x402c;
constexpr std::uint32_t kRoceAcclSize = 0x80;
constexpr std::uint32_t kMnvda = 0x9024;
constexpr std::uint32_t kMnvdaSize = 0x10c;

struct Named {
    std::string_view name;
    Bits bits;
};

/// struct mlx5_ifc_cong_control_r_roce_ecn_np_bits, with the names of cong.c mlx5_ib_dbg_cc_name.
constexpr std::array kNotification = {
    Named{"np_min_time_between_cnps", {20, 0, 32}},
    Named{"np_cnp_dscp", {24, 8, 6}},
    Named{"np_cnp_prio_mode", {24, 3, 1}},
    Named{"np_cnp_prio", {24, 0, 3}},
};

/// struct mlx5_ifc_cong_control_r_roce_ecn_rp_bits
constexpr std::array kReaction = {
    Named{"rp_clamp_tgt_rate", {12, 27, 1}},
    Named{"rp_clamp_tgt_rate_ati", {12, 23, 1}},
    Named{"rp_time_reset", {20, 0, 32}},
    Named{"rp_byte_reset", {24, 0, 32}},
    Named{"rp_threshold", {28, 0, 32}},
    Named{"rp_max_rate", {32, 0, 32}},
    Named{"rp_ai_rate", {36, 0, 32}},
    Named{"rp_hai_rate", {40, 0, 32}},
    Named{"rp_gd", {44, 0, 32}},
    Named{"rp_min_dec_fac", {48, 0, 32}},
    Named{"rp_min_rate", {52, 0, 32}},
    Named{"rp_rate_to_set_on_first_cnp", {84, 0, 32}},
    Named{"rp_dce_tcp_g", {88, 0, 32}},
    Named{"rp_dce_tcp_rtt", {92, 0, 32}},
    Named{"rp_rate_reduce_monitor_period", {96, 0, 32}},
    Named{"rp_initial_alpha_value", {104, 0, 32}},
};

/// Node roce_accl_reg_ext: each has its bit in the first word, which tells whether the NIC has a
/// choice, at the same place as its own in the second.
constexpr std::array kAccelerations = {
    Named{"roce_adp_retrans_en", {4, 0, 1}},
    Named{"roce_tx_window_en", {4, 1, 1}},
    Named{"roce_slow_restart_en", {4, 2, 1}},
    Named{"roce_slow_restart_idle_en", {4, 3, 1}},
    Named{"min_ack_timeout_limit_disabled", {4, 4, 1}},
    Named{"adaptive_routing_forced_en", {4, 5, 1}},
    Named{"selective_repeat_forced_en", {4, 6, 1}},
    Named{"dc_half_handshake_en", {4, 7, 1}},
    Named{"cc_per_plane_en", {4, 8, 1}},
    Named{"ack_dscp_force", {4, 9, 1}},
};

// struct mlx5_ifc_config_item_bits; configuration_item_type_class_physical_port_ext
constexpr Bits kItemLength{0, 0, 9};
constexpr Bits kItemClass{4, 24, 8};
constexpr Bits kItemPort{4, 16, 8};
constexpr Bits kItemIndex{4, 0, 16};
constexpr std::uint32_t kClassOfPort = 1;
constexpr std::size_t kItemHeader = 12;

/// nv_roce_cc and nv_roce_cc_ecn, table params, column mlxconfig_name.
constexpr std::array kRoceCc = {Named{"ROCE_CC_PRIO_MASK", {0, 0, 8}},
                                Named{"ROCE_CC_ALGORITHM", {0, 31, 1}}};
constexpr std::array kRoceCcEcn = {
    Named{"CLAMP_TGT_RATE_AFTER_TIME_INC", {0, 30, 1}},
    Named{"CLAMP_TGT_RATE", {0, 31, 1}},
    Named{"RPG_TIME_RESET", {4, 0, 17}},
    Named{"RPG_BYTE_RESET", {8, 0, 32}},
    Named{"RPG_THRESHOLD", {12, 0, 5}},
    Named{"RPG_MAX_RATE", {16, 0, 32}},
    Named{"RPG_AI_RATE", {20, 0, 32}},
    Named{"RPG_HAI_RATE", {24, 0, 32}},
    Named{"RPG_GD", {28, 0, 4}},
    Named{"RPG_MIN_DEC_FAC", {32, 0, 8}},
    Named{"RPG_MIN_RATE", {36, 0, 32}},
    Named{"RATE_TO_SET_ON_FIRST_CNP", {40, 0, 32}},
    Named{"DCE_TCP_G", {44, 0, 10}},
    Named{"DCE_TCP_RTT", {48, 0, 17}},
    Named{"RATE_REDUCE_MONITOR_PERIOD", {52, 0, 17}},
    Named{"INITIAL_ALPHA_VALUE", {56, 0, 10}},
    Named{"MIN_TIME_BETWEEN_CNPS", {60, 0, 17}},
    Named{"CNP_802P_PRIO", {64, 0, 3}},
    Named{"CNP_RES_PRIO_MODE", {64, 3, 1}},
    Named{"CNP_DSCP_MODE", {64, 4, 2}},
    Named{"CNP_DSCP", {64, 8, 6}},
};

struct Item {
    StoredItem item;
    std::string_view name;
    std::span<const Named> values;
    std::uint32_t size;
};
constexpr std::array kItems = {
    Item{StoredItem::roce_cc, "MNVDA nv_roce_cc", kRoceCc, 4},
    Item{StoredItem::roce_cc_ecn, "MNVDA nv_roce_cc_ecn", kRoceCcEcn, 68}};

const Item& row_of(StoredItem item) {
    return *std::ranges::find(kItems, item, &Item::item);
}

struct Status {
    std::uint32_t status;
    std::string_view words;
};
constexpr std::array kStatuses = {
    Status{0x01, "internal error"},   Status{0x02, "bad operation"},
    Status{0x03, "bad parameter"},    Status{0x04, "bad system state"},
    Status{0x05, "bad resource"},     Status{0x06, "resource busy"},
    Status{0x08, "limits exceeded"},  Status{0x0f, "no resources"},
    Status{0x50, "bad input length"}, Status{0x51, "bad output length"},
};

std::string hexadecimal(std::uint32_t value) {
    std::array<char, 8> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

/// The bytes behind the header of an answer.
Bytes behind_header(Bytes answer) {
    return answer.subspan(std::min(kMailHeader, answer.size()));
}

core::Fwctl::Numbers numbers_in(Bytes bytes, std::span<const Named> named,
                                const std::string& ending = "") {
    core::Fwctl::Numbers out;
    for (const Named& one : named)
        if (const auto value = value_in(bytes, one.bits))
            out.emplace(std::string(one.name) + ending, *value);
    return out;
}

FirmwareRequest mail_request(std::string_view name, std::uint32_t opcode, std::uint32_t size,
                             std::uint32_t answer) {
    FirmwareRequest out{.name = name,
                        .bytes = std::vector<std::byte>(kMailHeader + size),
                        .answer = static_cast<std::uint32_t>(kMailHeader) + answer};
    put_bits(out.bytes, kOpcode, opcode);
    return out;
}

/// The register's own request and answer have its size.
FirmwareRequest register_request(std::string_view name, std::uint32_t number, std::uint32_t size) {
    FirmwareRequest out = mail_request(name, kAccessReg, size, size);
    put_bits(out.bytes, kOperation, kRead);
    put_bits(out.bytes, kRegister, number);
    return out;
}

}  // namespace

FirmwareRequest cong_status_request(CongestionPoint point, unsigned priority) {
    FirmwareRequest out = mail_request("QUERY_CONG_STATUS", kQueryCongStatus, 0, 0);
    put_bits(out.bytes, kProtocol, static_cast<std::uint32_t>(point));
    put_bits(out.bytes, kOfPriority, priority);
    return out;
}

FirmwareRequest cong_params_request(CongestionPoint point) {
    FirmwareRequest out = mail_request("QUERY_CONG_PARAMS", kQueryCongParams, 0, kParams);
    put_bits(out.bytes, kProtocol, static_cast<std::uint32_t>(point));
    return out;
}

FirmwareRequest roce_accl_request() {
    return register_request("ROCE_ACCL", kRoceAccl, kRoceAcclSize);
}

FirmwareRequest stored_request(StoredItem item, unsigned port) {
    const auto behind = [](Bits bits) {
        bits.word += kMailHeader;
        return bits;
    };
    const Item& row = row_of(item);
    FirmwareRequest out = register_request(row.name, kMnvda, kMnvdaSize);
    put_bits(out.bytes, behind(kItemLength), row.size);
    put_bits(out.bytes, behind(kItemClass), kClassOfPort);
    put_bits(out.bytes, behind(kItemPort), port);
    put_bits(out.bytes, behind(kItemIndex), static_cast<std::uint32_t>(item));
    return out;
}

std::string decode_mlx5_refusal(Bytes answer) {
    const auto status = value_in(answer, kStatus);
    const auto syndrome = value_in(answer, kSyndrome);
    if (!status || !syndrome) return "the answer is too short";
    if (*status == 0) return {};
    const auto known = std::ranges::find(kStatuses, *status, &Status::status);
    return std::string(known == kStatuses.end() ? "refused" : known->words) + " (status " +
           hexadecimal(*status) + ", syndrome " + hexadecimal(*syndrome) + ')';
}

std::optional<bool> decode_cong_status(Bytes answer) {
    const auto on = value_in(answer, kEnable);
    return on ? std::optional(*on != 0) : std::nullopt;
}

core::Fwctl::Numbers decode_cong_params(Bytes answer, CongestionPoint point) {
    const Bytes params = behind_header(answer);
    return point == CongestionPoint::reaction ? numbers_in(params, kReaction)
                                              : numbers_in(params, kNotification);
}

core::Fwctl::Switches decode_roce_accl(Bytes answer) {
    const Bytes fields = behind_header(answer);
    core::Fwctl::Switches out;
    for (const Named& one : kAccelerations) {
        const auto has_choice = value_in(fields, {0, one.bits.low, 1});
        const auto on = value_in(fields, one.bits);
        if (has_choice == 1U && on) out.emplace(one.name, *on != 0);
    }
    return out;
}

core::Fwctl::Numbers decode_stored(Bytes answer, StoredItem item, unsigned port) {
    const Bytes fields = behind_header(answer);
    const std::size_t length = value_in(fields, kItemLength).value_or(0);
    if (fields.size() < kItemHeader) return {};
    const Bytes data = fields.subspan(kItemHeader);
    return numbers_in(data.first(std::min(length, data.size())), row_of(item).values,
                      "_P" + std::to_string(port));
}

}  // namespace netlink
