// SPDX-License-Identifier: Apache-2.0
// What the serving side does of rdma_cm.
#include "cli/probe/managed.hpp"
#include "cli/probe/server.hpp"
#include "core/error.hpp"
#include "core/probe/pattern.hpp"

namespace cli {

using core::probe::Message;
using core::probe::number_in;

/// Only what the client asked for is listened for, at a port that nobody else knows.
Message ProbeServer::cm_listen(const Message& message) {
    managed_.reset();
    if (!rail_) rail_ = free_rail(number_in(message, "force", 0, 1) == 1);
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, UINT8_MAX));
    const std::uint64_t token = number_in(message, "token", 0, UINT64_MAX);
    managed_.emplace(traffic_class, kManagedBytes);
    const std::uint16_t port = managed_->listen(rail_->address, token);
    return {.kind = "cm_listening",
            .numbers = {{"port", port}},
            .words = {{"address", core::text(rail_->address)}}};
}

Message ProbeServer::cm_accept(const Message& message) {
    try {
        return accepted(message);
    } catch (...) {
        // Nobody is listened for any more.
        managed_.reset();
        throw;
    }
}

Message ProbeServer::accepted(const Message& message) {
    if (!managed_) throw core::Error(core::Status::failed, "nobody asked for rdma_cm");
    const std::uint32_t seed = seed_in(message);
    verbs::Wait wait = limited(message);
    managed_->accept(wait);
    managed_->received(wait);
    Message out{.kind = "cm_done"};
    if (const auto wrong = core::probe::first_wrong(managed_->incoming(), seed))
        out.numbers["wrong"] = *wrong;
    core::probe::fill_pattern(managed_->outgoing(), seed + 1);
    managed_->send(wait);
    return out;
}

Message ProbeServer::cm_shut(const Message& /*message*/) {
    managed_.reset();
    return {.kind = "done"};
}

}  // namespace cli
