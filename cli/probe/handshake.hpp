// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "cli/probe/control_connection.hpp"

namespace cli {

/// Reads the shared secret, without the newline at its end. Throws Error where the file cannot be
/// read, others may read it or, with `only_trusted`, could have written it, or it has less than 16
/// bytes.
std::string read_secret(const std::string& file, bool only_trusted);

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

}  // namespace cli
