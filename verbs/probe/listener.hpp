// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"
#include "verbs/probe/control_connection.hpp"

namespace verbs {

/// The listening socket of a probe server: accepts clients one after the other, and the data
/// connections of the current one. Handshakes run side by side, so a silent stranger delays nobody.
class Listener {
public:
    /// `warn` is told which clients were dropped, and why.
    Listener(netlink::Descriptor socket, const std::string& secret,
             std::function<void(const std::string&)> warn)
        : socket_(std::move(socket)), secret_(secret), warn_(std::move(warn)) {}
    [[nodiscard]] int number() const { return socket_.number(); }

    /// The next client that has proved that it knows the secret; none on timeout. A client that has
    /// not within five seconds is dropped with a warning.
    std::optional<ControlConnection> next(std::chrono::milliseconds limit);
    /// Accepts the connections from `from` that begin with these tokens, in the order of the
    /// tokens. Any other connection is a client that waits for its turn. Throws Error (failed)
    /// where some are missing after five seconds, and what `poll_client`, called in between,
    /// throws.
    std::vector<netlink::Descriptor> claimed(const std::vector<Key>& tokens, const core::Ip& from,
                                             const std::function<void()>& poll_client);

private:
    /// A client whose handshake is not complete.
    struct PendingClient {
        ControlConnection control_connection;
        ServerHandshake welcome;
        std::chrono::steady_clock::time_point end;
        bool is_gone = false;
    };
    void let_wait(netlink::Descriptor client);
    void greet(netlink::Descriptor client);
    /// Whether the handshake has ended well.
    bool go_on(PendingClient& one) const;
    void drop(PendingClient& one, const std::exception& error) const;
    void await_some(std::chrono::milliseconds limit) const;

    netlink::Descriptor socket_;
    const std::string& secret_;
    std::function<void(const std::string&)> warn_;
    std::chrono::steady_clock::time_point left_{};  ///< when `next` ended last
    std::deque<netlink::Descriptor> waiting_{};     ///< accepted; handshake not begun
    std::list<PendingClient> pending_clients_{};    ///< the oldest first
};

}  // namespace verbs
