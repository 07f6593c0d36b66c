// SPDX-License-Identifier: Apache-2.0
// What the serving side does of one operation at one size, with the contents looked at.
#include <arpa/inet.h>

#include <cstring>

#include "cli/probe/exchange.hpp"
#include "cli/probe/server.hpp"
#include "core/probe/pattern.hpp"

namespace cli {
namespace {

using core::probe::Message;
using core::probe::number_in;

}  // namespace

Message ProbeServer::fill(const Message& message) {
    core::probe::fill_pattern(endpoint().outgoing().first(size_in(message)), seed_in(message));
    return {.kind = "done"};
}

Message ProbeServer::receive(const Message& message) {
    std::memset(endpoint().incoming().data(), 0, endpoint().incoming().size());
    endpoint().post_receive(size_in(message));
    return {.kind = "done"};
}

Message ProbeServer::arrived(const Message& message) {
    verbs::Wait wait = limited(message);
    const ibv_wc completion = endpoint().received(wait);
    const std::uint64_t size = size_in(message);
    const auto wrong =
        core::probe::first_wrong(endpoint().incoming().first(size), seed_in(message));
    Message out{.kind = "arrived", .numbers = {{"length", completion.byte_len}}, .words = {}};
    if (wrong) out.numbers["wrong"] = *wrong;
    if ((completion.wc_flags & IBV_WC_WITH_IMM) != 0)
        out.numbers["immediate"] = ntohl(completion.imm_data);
    return out;
}

Message ProbeServer::check(const Message& message) {
    const auto wrong =
        core::probe::first_wrong(endpoint().incoming().first(size_in(message)), seed_in(message));
    Message out{.kind = "checked"};
    if (wrong) out.numbers["wrong"] = *wrong;
    return out;
}

Message ProbeServer::send(const Message& message) {
    verbs::Wait wait = limited(message);
    core::probe::fill_pattern(endpoint().outgoing().first(size_in(message)), seed_in(message));
    endpoint().post({.code = IBV_WR_SEND, .size = size_in(message)});
    endpoint().sent(wait);
    return {.kind = "done"};
}

Message ProbeServer::value(const Message& message) {
    std::uint64_t number = 0;
    if (message.numbers.contains("set")) {
        number = number_in(message, "set", 0, UINT64_MAX);
        std::memcpy(endpoint().outgoing().data(), &number, sizeof number);
    }
    std::memcpy(&number, endpoint().outgoing().data(), sizeof number);
    return {.kind = "value", .numbers = {{"number", number}}};
}

}  // namespace cli
