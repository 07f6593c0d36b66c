// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/probe/message.hpp"
#include "netlink/transport/descriptor.hpp"

namespace verbs {

using Key = std::array<std::uint8_t, 32>;

/// The other side has gone: it closed the connection, or its host reset it.
class PeerGone : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// The other side does not answer in time.
class PeerSilent : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Messages over one TCP connection. Each carries its length and an HMAC-SHA-256 (RFC 2104) over
/// its sequence number and its bytes, so that nobody without the key can insert, drop or change
/// one. No message is longer than 64 KiB, and every wait is bounded.
class ControlConnection {
public:
    enum class Side : std::uint8_t { client, server };

    ControlConnection(netlink::Descriptor socket, Side side);

    /// Throws PeerGone, PeerSilent.
    void send(const core::probe::Message& message);
    /// Waits for the next message. Throws PeerGone, PeerSilent, and Error (failed) for anything
    /// that is no valid message.
    core::probe::Message receive(std::chrono::milliseconds limit);
    /// The next message if all of it has arrived, else nothing; does not wait. Throws PeerGone, and
    /// Error (failed) for anything that is no valid message.
    std::optional<core::probe::Message> receive_now();

    /// Waits until data or the end of the connection arrives; false on timeout.
    [[nodiscard]] bool await_some(std::chrono::milliseconds limit) const;

    /// From here on all messages are authenticated with this key.
    void use(const Key& key) { key_ = key; }
    /// The token that a data connection begins with, which ties it to this control connection:
    /// derived from the key, the number of the opening and the connection's place in it.
    [[nodiscard]] Key token(Side from, std::uint64_t opening, std::uint64_t place) const;
    [[nodiscard]] Side side() const { return side_; }
    [[nodiscard]] int number() const { return socket_.number(); }
    /// Whether the peer's host has acknowledged all that was sent: it has where only the process is
    /// stopped, and has not where the host is gone.
    [[nodiscard]] bool is_acknowledged() const;

private:
    bool fill(std::chrono::milliseconds limit);
    std::optional<core::probe::Message> take();
    [[nodiscard]] Key code_of(Side from, std::uint64_t number, std::string_view bytes) const;

    netlink::Descriptor socket_;
    Side side_;
    Key key_{};
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
    std::string arrived_{};
};

/// HMAC-SHA-256 of the concatenated parts.
Key hmac(std::string_view key, std::initializer_list<std::string_view> parts);

/// The client's side in steps, for callers that run many handshakes at once.
class ClientHandshake {
public:
    explicit ClientHandshake(const std::string& secret) : secret_(secret) {}
    /// Takes the server's message; true when the handshake is complete. Throws as below.
    bool go_on(ControlConnection& control_connection, const core::probe::Message& said);

private:
    const std::string& secret_;
    std::string own_{};
    std::string other_{};
};

/// The server's side in steps. The server speaks first: `begin`.
class ServerHandshake {
public:
    explicit ServerHandshake(const std::string& secret) : secret_(secret) {}
    void begin(ControlConnection& control_connection);
    /// Takes the client's message and completes the handshake. Throws as below.
    void go_on(ControlConnection& control_connection, const core::probe::Message& said);

private:
    const std::string& secret_;
    std::string own_{};
};

/// Timeout for each message of the handshake.
inline constexpr std::chrono::milliseconds kHandshakeLimit{5000};
/// For a server that accepts connections and does not speak first.
inline constexpr const char* kServerSilent =
    "its host answers, and the server there says nothing: it is stopped, or serves another client";

/// Each side proves, by an HMAC over two nonces, that it knows the secret and speaks this version
/// of the protocol. Throws Error (failed) where the other side does not, and what ControlConnection
/// throws.
void handshake_as_client(ControlConnection& control_connection, const std::string& secret);
void handshake_as_server(ControlConnection& control_connection, const std::string& secret);

}  // namespace verbs
