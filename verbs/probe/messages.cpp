// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/messages.hpp"

#include <sys/random.h>
#include <sys/resource.h>

#include "core/error.hpp"
#include "core/model/ip.hpp"
#include "verbs/rpc.hpp"

namespace verbs {
namespace {

using core::probe::Measurement;
using core::probe::Message;

constexpr std::uint64_t k24Bits = 0xFFFFFF;

std::string number_name(const char* of, unsigned pair) {
    return of + std::to_string(pair);
}

std::uint64_t microseconds(const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_usec);
}

}  // namespace

void put_address(Message& message, const EndpointAddress& address) {
    message.words["gid"] = core::text(core::Ip{.v6 = true, .bytes = address.gid});
    message.numbers["mtu"] = address.mtu;
    message.numbers["buffer"] = address.buffer;
    message.numbers["key"] = address.key;
    message.numbers["reads"] = address.reads;
    for (unsigned i = 0; i < address.numbers.size(); ++i) {
        message.numbers[number_name("queue_pair", i)] = address.numbers[i].queue_pair;
        message.numbers[number_name("sequence", i)] = address.numbers[i].sequence;
    }
}

EndpointAddress address_in(const Message& message, unsigned pairs) {
    EndpointAddress out;
    const std::string& gid = core::probe::word_in(message, "gid");
    const auto ip = core::parse_ip(gid);
    if (!ip || !ip->v6)
        throw core::Error(core::Status::failed, "the peer's GID '" + gid + "' is none");
    out.gid = ip->bytes;
    out.mtu = static_cast<std::uint32_t>(core::probe::number_in(message, "mtu", 256, 4096));
    if ((out.mtu & (out.mtu - 1)) != 0)
        throw core::Error(core::Status::failed,
                          "the peer's RDMA MTU " + std::to_string(out.mtu) + " is none");
    out.buffer = core::probe::number_in(message, "buffer", 0, UINT64_MAX);
    out.key = static_cast<std::uint32_t>(core::probe::number_in(message, "key", 0, UINT32_MAX));
    if (message.numbers.contains("reads"))
        out.reads =
            static_cast<std::uint8_t>(core::probe::number_in(message, "reads", 1, UINT8_MAX));
    for (unsigned i = 0; i < pairs; ++i)
        out.numbers.push_back({.queue_pair = static_cast<std::uint32_t>(core::probe::number_in(
                                   message, number_name("queue_pair", i), 0, k24Bits)),
                               .sequence = static_cast<std::uint32_t>(core::probe::number_in(
                                   message, number_name("sequence", i), 0, k24Bits))});
    return out;
}

unsigned requests_for(const Measurement& work) {
    constexpr unsigned kToAndFro = 2;
    if (is_calls(work)) return requests_of(work.depth);
    return work.bandwidth ? work.depth : kToAndFro;
}

std::uint64_t room_for(const Measurement& work) {
    return is_calls(work) ? room_of(work).bytes() : work.size;
}

Message message_of(const Measurement& work, std::chrono::milliseconds limit) {
    return {.kind = "run",
            .numbers = {{"limit", static_cast<std::uint64_t>(limit.count())},
                        {"bandwidth", work.bandwidth ? 1U : 0U},
                        {"size", work.size},
                        {"queue_pairs", work.queue_pairs},
                        {"depth", work.depth},
                        {"number", work.number},
                        {"duration", static_cast<std::uint64_t>(work.duration.count())},
                        {"rate", work.bits_a_second},
                        {"writes", work.writes ? 1U : 0U},
                        {"checked", work.checked ? 1U : 0U}},
            .words = {{"operation", std::string(core::probe::name_of(work.operation))},
                      {"direction", std::string(core::probe::name_of(work.direction))}}};
}

Measurement work_in(const Message& message) {
    constexpr std::uint64_t kLongestDuration = 60'000;  ///< milliseconds
    const auto number = [&](const char* name, std::uint64_t low, std::uint64_t high) {
        return core::probe::number_in(message, name, low, high);
    };
    const auto operation = core::probe::find_operation(core::probe::word_in(message, "operation"));
    const auto direction = core::probe::find_direction(core::probe::word_in(message, "direction"));
    if (!operation || !direction)
        throw core::Error(core::Status::failed,
                          "found an operation or a direction that this rocectl does not know");
    Measurement out{
        .operation = *operation,
        .bandwidth = number("bandwidth", 0, 1) == 1,
        .direction = *direction,
        .size = number("size", 1, core::probe::kMostBytes),
        .queue_pairs = static_cast<unsigned>(number("queue_pairs", 1, core::probe::kMostPairs)),
        .number = number("number", 1, kMostMessages),
        .duration = std::chrono::milliseconds(number("duration", 1, kLongestDuration)),
        .bits_a_second = number("rate", 0, UINT64_MAX),
        .writes = number("writes", 0, 1) == 1,
        .checked = number("checked", 0, 1) == 1};
    out.depth = static_cast<unsigned>(
        number("depth", 1, is_calls(out) ? kMostCalls : core::probe::kMostDepth));
    return out;
}

void put_counts(Message& message, const core::probe::ClassCounts& counts) {
    message.numbers["lossless"] = counts.lossless;
    if (counts.notified) message.numbers["notified"] = *counts.notified;
    if (!counts.known) return;
    for (unsigned i = 0; i < core::kPriorities; ++i) {
        message.numbers[number_name("tx_bytes", i)] = counts.sent.bytes.at(i);
        message.numbers[number_name("tx_packets", i)] = counts.sent.packets.at(i);
        message.numbers[number_name("rx_bytes", i)] = counts.received.bytes.at(i);
        message.numbers[number_name("rx_packets", i)] = counts.received.packets.at(i);
    }
}

core::probe::ClassCounts counts_in(const Message& message) {
    const auto number = [&](const std::string& name, std::uint64_t most) {
        return core::probe::number_in(message, name, 0, most);
    };
    core::probe::ClassCounts out;
    out.lossless = static_cast<std::uint8_t>(number("lossless", UINT8_MAX));
    if (message.numbers.contains("notified")) out.notified = number("notified", UINT64_MAX);
    out.known = message.numbers.contains(number_name("tx_bytes", 0));
    for (unsigned i = 0; out.known && i < core::kPriorities; ++i) {
        out.sent.bytes.at(i) = number(number_name("tx_bytes", i), UINT64_MAX);
        out.sent.packets.at(i) = number(number_name("tx_packets", i), UINT64_MAX);
        out.received.bytes.at(i) = number(number_name("rx_bytes", i), UINT64_MAX);
        out.received.packets.at(i) = number(number_name("rx_packets", i), UINT64_MAX);
    }
    return out;
}

void put_packet_losses(Message& message, const core::probe::PacketLosses& packet_losses) {
    for (const auto& [name, value] : packet_losses)
        message.numbers[name] = value;
}

core::probe::PacketLosses packet_losses_in(const Message& message) {
    core::probe::PacketLosses out;
    for (const std::string_view name : core::probe::packet_loss_names())
        if (const auto found = message.numbers.find(name); found != message.numbers.end())
            out.emplace(name, found->second);
    return out;
}

core::Ip address_said(const Message& message) {
    const std::string& text = core::probe::word_in(message, "address");
    if (const auto ip = core::parse_ip(text)) return *ip;
    throw core::Error(core::Status::failed, "the peer's address '" + text + "' is none");
}

std::uint64_t random_token() {
    std::uint64_t out = 0;
    if (::getrandom(&out, sizeof out, 0) != sizeof out)
        throw core::Error(core::Status::failed, "getrandom(2) gives no number");
    return out;
}

Completion completion_named(const std::string& name) {
    if (name == "poll") return Completion::poll;
    if (name == "event") return Completion::event;
    if (name == "adaptive") return Completion::adaptive;
    throw core::Error(core::Status::failed,
                      "found completion '" + name + "', expected poll, event or adaptive");
}

std::uint64_t processor_time() {
    rusage used = {};
    ::getrusage(RUSAGE_SELF, &used);
    return microseconds(used.ru_utime) + microseconds(used.ru_stime);
}

}  // namespace verbs
