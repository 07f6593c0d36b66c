// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "cli/probe/control_connection.hpp"

namespace cli {

/// The text of the file that both sides know, without the end of its last line. Throws Error where
/// it cannot be read, others may read it or, with `only_trusted`, could have written it, or it has
/// less than 16 bytes.
std::string read_secret(const std::string& file, bool only_trusted);

/// The client's part in steps, for one that greets many at once.
class ClientHandshake {
public:
    explicit ClientHandshake(const std::string& secret) : secret_(secret) {}
    /// Goes on with what the server said; whether both sides know each other now. Throws as below.
    bool go_on(ControlConnection& control_connection, const core::probe::Message& said);

private:
    const std::string& secret_;
    std::string own_{};
    std::string other_{};
};

/// The server's part in the same way. It speaks first: `begin`.
class ServerHandshake {
public:
    explicit ServerHandshake(const std::string& secret) : secret_(secret) {}
    void begin(ControlConnection& control_connection);
    /// Ends the handshake with what the client said. Throws as below.
    void go_on(ControlConnection& control_connection, const core::probe::Message& said);

private:
    const std::string& secret_;
    std::string own_{};
};

/// How long a side waits for each word of the other.
inline constexpr std::chrono::milliseconds kHandshakeLimit{5000};
/// Of a server whose host lets connections in, and that does not speak first.
inline constexpr const char* kServerSilent =
    "its host answers, and the server there says nothing: it is stopped, or serves another client";

/// Each side shows, by an HMAC over two numbers that are used once, that it knows the secret, and
/// that it speaks this form of the protocol. Throws Error (failed) where the other does not, and
/// what Channel throws.
void handshake_as_client(ControlConnection& control_connection, const std::string& secret);
void handshake_as_server(ControlConnection& control_connection, const std::string& secret);

}  // namespace cli
