// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "verbs/probe/control_connection.hpp"
#include "verbs/socket.hpp"

namespace verbs {

/// A non-blocking connection to a server, one of many that run at once: it advances when poll(2)
/// says it can. Each address and the handshake get five seconds; a request has its own limit, and
/// while it runs the server is asked every two seconds whether it is alive.
class PendingConnection {
public:
    /// Keeps references to the secret and the addresses.
    PendingConnection(const std::vector<SocketAddress>& addresses, const std::string& secret);

    /// Sends the request now, or when the handshake is complete.
    void ask(core::probe::Message message, std::chrono::milliseconds limit);
    /// Advances as far as possible. Returns the answer once it has arrived. Throws Error (failed),
    /// PeerGone, PeerSilent.
    std::optional<core::probe::Message> go_on();
    /// Whether the handshake is complete: the server knows the secret.
    [[nodiscard]] bool is_authenticated() const { return step_ == Step::handshaken; }
    /// Tells the server, after the handshake, to stop and close.
    void close();
    [[nodiscard]] pollfd awaited() const;

private:
    enum class Step { connecting, handshake, handshaken };
    using Clock = std::chrono::steady_clock;

    void connect_next();
    void go_on_connecting();
    void send_question();
    std::optional<core::probe::Message> take(const core::probe::Message& said);
    void look_at_clock();

    const std::vector<SocketAddress>& addresses_;
    std::size_t next_ = 0;  ///< of the addresses
    std::string why_{};     ///< why the previous address failed
    netlink::Descriptor connecting_{};
    std::optional<ControlConnection> control_connection_{};
    ClientHandshake handshake_;
    Step step_ = Step::connecting;
    Clock::time_point end_{};    ///< deadline of the step or the request
    Clock::time_point heard_{};  ///< when the last message came
    Clock::time_point inquired_{};
    bool asked_ = false;
    std::optional<core::probe::Message> question_{};
    std::chrono::milliseconds limit_{};
};

}  // namespace verbs
