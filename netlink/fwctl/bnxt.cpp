// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "netlink/fwctl/firmware.hpp"

namespace netlink {
namespace {

// HWRM_* of enum in hsi.h
constexpr std::uint16_t kPri2Cos = 0x37;
constexpr std::uint16_t kCos2Bw = 0x39;
// QUEUE_PRI2COS_QCFG_REQ_FLAGS_IVLAN, and _PATH_TX, which is 0
constexpr std::byte kInnerVlan{2};

// struct input: req_type, cmpl_ring, seq_id, target_id, resp_addr
constexpr std::size_t kRing = 2;
constexpr std::size_t kTarget = 6;
constexpr std::size_t kFlags = 16;
constexpr std::size_t kRequest = 24;
constexpr std::byte kNone{0xff};  // of the ring; of the target: the firmware's own function

// struct output: error_code, req_type, seq_id, resp_len
constexpr std::size_t kHwrmHeader = 8;
constexpr std::uint32_t kPri2CosAnswer = 24;
constexpr std::uint32_t kCos2BwAnswer = 112;
constexpr std::size_t kPrioritiesAsked = 8;

/// Where the values of a queue are: the first has three bytes between its number and the rest, and
/// each other is packed behind the one before.
struct QueuePlace {
    std::size_t number;
    std::size_t algorithm;
    std::size_t share;
};
constexpr std::size_t kQueues = 8;
constexpr QueuePlace place_of(std::size_t queue) {
    constexpr std::size_t second = 23;
    constexpr std::size_t size = 12;
    if (queue == 0) return {.number = kHwrmHeader, .algorithm = 20, .share = 22};
    const std::size_t start = second + (queue - 1) * size;
    return {.number = start, .algorithm = start + 9, .share = start + 11};
}

// QUEUE_COS2BW_QCFG_RESP_QUEUE_ID0_TSA_ASSIGN_SP and _ETS
constexpr unsigned kStrict = 0;
constexpr unsigned kShared = 1;

constexpr std::uint64_t kNoQueue = 0xff;
constexpr unsigned kMostPercent = 100;

unsigned byte_at(Bytes bytes, std::size_t at) {
    return std::to_integer<unsigned>(bytes[at]);
}

FirmwareRequest hwrm_request(std::string_view name, std::uint16_t type, std::uint32_t answer) {
    FirmwareRequest out{.name = name, .bytes = std::vector<std::byte>(kRequest), .answer = answer};
    out.bytes[0] = static_cast<std::byte>(type & 0xffU);
    out.bytes[1] = static_cast<std::byte>(type >> 8U);
    for (const std::size_t field : {kRing, kTarget})
        out.bytes[field] = out.bytes[field + 1] = kNone;
    return out;
}

}  // namespace

FirmwareRequest pri2cos_request() {
    FirmwareRequest out = hwrm_request("HWRM_QUEUE_PRI2COS_QCFG", kPri2Cos, kPri2CosAnswer);
    out.bytes[kFlags] = kInnerVlan;
    return out;
}

FirmwareRequest cos2bw_request() {
    return hwrm_request("HWRM_QUEUE_COS2BW_QCFG", kCos2Bw, kCos2BwAnswer);
}

std::string decode_hwrm_refusal(Bytes answer) {
    if (answer.size() < kHwrmHeader) return "the answer is too short";
    const unsigned error = byte_at(answer, 0) | byte_at(answer, 1) << 8U;
    return error == 0 ? std::string() : "error " + std::to_string(error);
}

core::Fwctl::Numbers decode_pri2cos(Bytes answer) {
    core::Fwctl::Numbers out;
    if (answer.size() < kHwrmHeader + kPrioritiesAsked) return out;
    for (std::size_t i = 0; i < kPrioritiesAsked; ++i)
        if (const unsigned queue = byte_at(answer, kHwrmHeader + i); queue != kNoQueue)
            out.emplace(std::to_string(i), queue);
    return out;
}

CosQueues decode_cos2bw(Bytes answer, const core::Fwctl::Numbers& of_priorities) {
    CosQueues out;
    for (std::size_t i = 0; i < kQueues; ++i) {
        const QueuePlace place = place_of(i);
        if (answer.size() <= place.share) break;
        const unsigned number = byte_at(answer, place.number);
        const bool is_used = std::ranges::any_of(
            of_priorities, [number](const auto& one) { return one.second == number; });
        const std::string name = std::to_string(number);
        if (!is_used || out.algorithm.contains(name)) continue;
        const unsigned algorithm = byte_at(answer, place.algorithm);
        const unsigned share = byte_at(answer, place.share);
        if (algorithm == kStrict) out.algorithm.emplace(name, "strict");
        if (algorithm != kShared) continue;
        out.algorithm.emplace(name, "ets");
        if (share <= kMostPercent) out.share.emplace(name, share);
    }
    return out;
}

}  // namespace netlink
