// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/probe/connecting.hpp"
#include "cli/probe/control_connection.hpp"
#include "cli/probe/handshake.hpp"

namespace cli {

/// A connection to a server, of many that are under way together: it waits for nothing, and goes on
/// where somebody saw that it can. Five seconds for each address, and for the handshake; what was
/// asked has its own limit, and within it the server is asked every two seconds whether it lives.
class PendingConnection {
public:
    /// The secret and the addresses outlive it.
    PendingConnection(const std::vector<SocketAddress>& addresses, const std::string& secret);

    /// Asked as soon as both know each other, or now.
    void ask(core::probe::Message message, std::chrono::milliseconds limit);
    /// As far as it can. The answer, once it is there. Throws Error (failed), PeerGone, PeerSilent.
    std::optional<core::probe::Message> go_on();
    /// The server knows the secret, and is known to be one.
    [[nodiscard]] bool is_authenticated() const { return step_ == Step::handshaken; }
    /// Says that no more is wanted, where that can be said.
    void close();
    [[nodiscard]] pollfd awaited() const;

private:
    enum class Step { connecting, handshake, handshaken };
    using Clock = std::chrono::steady_clock;

    void connect_next();
    void go_on_connecting();
    void send_question();
    std::optional<core::probe::Message> notifications(const core::probe::Message& said);
    void look_at_clock();

    const std::vector<SocketAddress>& addresses_;
    std::size_t next_ = 0;  ///< of the addresses
    std::string why_{};     ///< the address before could not be reached
    netlink::Descriptor connecting_{};
    std::optional<ControlConnection> control_connection_{};
    ClientHandshake handshake_;
    Step step_ = Step::connecting;
    Clock::time_point end_{};            ///< of the step, or of what was asked
    Clock::time_point notifications_{};  ///< something came
    Clock::time_point inquired_{};
    bool asked_ = false;
    std::optional<core::probe::Message> question_{};
    std::chrono::milliseconds limit_{};
};

}  // namespace cli
