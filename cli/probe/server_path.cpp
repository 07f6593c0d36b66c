// SPDX-License-Identifier: Apache-2.0
// What the serving side does to find the MTU of a path.
#include <algorithm>

#include "cli/probe/exchange.hpp"
#include "cli/probe/server.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

std::uint32_t packet_in(const core::probe::Message& message) {
    constexpr std::uint64_t kLeastPacket = 68;
    return static_cast<std::uint32_t>(
        core::probe::number_in(message, "size", kLeastPacket, kMostPacket));
}

}  // namespace

using core::probe::Message;
using core::probe::number_in;

Message ProbeServer::packet_open(const Message& message) {
    datagrams_.reset();
    if (!rail_) rail_ = free_rail(number_in(message, "force", 0, 1) == 1);
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, UINT8_MAX));
    datagrams_.emplace(rail_->address, rail_->port, number_in(message, "token", 0, UINT64_MAX),
                       traffic_class);
    return {.kind = "packet_opened",
            .numbers = {{"port", datagrams_->port()}, {"mtu", std::min(rail_->mtu, kMostPacket)}},
            .words = {{"address", core::text(rail_->address)}}};
}

Datagrams& ProbeServer::datagrams() {
    if (!datagrams_) throw core::Error(core::Status::failed, "nobody asked for datagrams");
    return *datagrams_;
}

Message ProbeServer::packet_came(const Message& message) {
    constexpr std::chrono::milliseconds kToCome{100};
    const bool came = datagrams().has_come(packet_in(message), kToCome);
    return {.kind = "packet", .numbers = {{"came", came ? 1U : 0U}}};
}

/// Only to who has sent the token to this socket: nobody else is sent anything.
Message ProbeServer::packet_send(const Message& message) {
    if (!datagrams().is_intended())
        throw core::Error(core::Status::failed, "no datagram has come from this client");
    const bool sent = datagrams().send(packet_in(message));
    return {.kind = "packet", .numbers = {{"sent", sent ? 1U : 0U}}};
}

Message ProbeServer::packet_shut(const Message& /*message*/) {
    datagrams_.reset();
    return {.kind = "done"};
}

}  // namespace cli
