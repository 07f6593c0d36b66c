// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <vector>

#include "cli/probe/channel.hpp"
#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Where a server of a probe is reached, by clients one after the other and by the data connections
/// of the one that is served.
class Listener {
public:
    explicit Listener(netlink::Descriptor socket) : socket_(std::move(socket)) {}
    [[nodiscard]] int number() const { return socket_.number(); }

    /// The next client; none (-1) where the time is over.
    netlink::Descriptor next(std::chrono::milliseconds limit);
    /// The connections from that address that begin with the tokens, in their order. Who comes
    /// meanwhile and does not, is a client that waits for its turn. Throws Error (failed) where not
    /// all have come in five seconds, and what `look`, which is called in between, throws.
    std::vector<netlink::Descriptor> claimed(const std::vector<Key>& tokens, const core::Ip& from,
                                             const std::function<void()>& look);

private:
    void let_wait(netlink::Descriptor client);

    netlink::Descriptor socket_;
    std::deque<netlink::Descriptor> waiting_{};  ///< accepted, and to be served later
};

}  // namespace cli
