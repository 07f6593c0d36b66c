// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "cli/probe/control_connection.hpp"
#include "cli/probe/handshake.hpp"
#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Where a server of a probe is reached, by clients one after the other and by the data connections
/// of the one that is served. Strangers who say nothing keep nobody from it: all who have come are
/// greeted side by side.
class Listener {
public:
    Listener(netlink::Descriptor socket, const std::string& secret)
        : socket_(std::move(socket)), secret_(secret) {}
    [[nodiscard]] int number() const { return socket_.number(); }

    /// The next client that has shown that it knows the secret; none where the time is over. Who
    /// has not in five seconds is reported in a warning, and let go.
    std::optional<ControlConnection> next(std::chrono::milliseconds limit);
    /// The connections from that address that begin with the tokens, in their order. Who comes
    /// meanwhile and does not, is a client that waits for its turn. Throws Error (failed) where not
    /// all have come in five seconds, and what `run`, which is called in between, throws.
    std::vector<netlink::Descriptor> claimed(const std::vector<Key>& tokens, const core::Ip& from,
                                             const std::function<void()>& poll_client);

private:
    /// One that has come, and is not known yet.
    struct PendingClient {
        ControlConnection control_connection;
        ServerHandshake welcome;
        std::chrono::steady_clock::time_point end;
        bool is_gone = false;
    };
    void let_wait(netlink::Descriptor client);
    void greet(netlink::Descriptor client);
    /// Whether the handshake has ended well.
    static bool go_on(PendingClient& one);
    void await_some(std::chrono::milliseconds limit) const;

    netlink::Descriptor socket_;
    const std::string& secret_;
    std::chrono::steady_clock::time_point left_{};  ///< when `next` ended last
    std::deque<netlink::Descriptor> waiting_{};     ///< accepted, and to be greeted later
    std::list<PendingClient> pending_clients_{};    ///< the one that came first is in front
};

}  // namespace cli
