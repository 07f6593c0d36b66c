// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/handshake.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <span>

#include <nettle/memops.h>

#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Message;

constexpr std::uint64_t kProtocol = 1;
constexpr std::size_t kShortest = 16;

std::string hex(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : bytes) {
        out.push_back(kDigits[byte >> 4U]);
        out.push_back(kDigits[byte & 0xFU]);
    }
    return out;
}

/// A number used once.
std::string nonce() {
    std::array<std::uint8_t, 16> out{};
    if (::getrandom(out.data(), out.size(), 0) != static_cast<ssize_t>(out.size()))
        throw core::Error(core::Status::failed, "the kernel has no random numbers");
    return hex(out);
}

std::string proof(const std::string& secret, std::string_view of, const std::string& server,
                  const std::string& client) {
    return hex(hmac(secret, {of, " ", server, " ", client}));
}

void check_proof(const Message& message, const std::string& expected) {
    const std::string& found = core::probe::word_in(message, "proof");
    if (found.size() != expected.size() ||
        ::nettle_memeql_sec(found.data(), expected.data(), expected.size()) == 0)
        throw core::Error(core::Status::failed, "the peer does not know the secret");
}

/// What came is of that kind; an answer in words ends it.
const Message& of_kind(const Message& message, std::string_view kind) {
    if (message.kind == "failed")
        throw core::Error(core::Status::failed,
                          "the peer: " + core::probe::word_in(message, "text"));
    if (message.kind != kind)
        throw core::Error(core::Status::failed, "the peer sent '" + message.kind + "' where '" +
                                                    std::string(kind) + "' was expected");
    if (kind == "hello" && core::probe::number_in(message, "protocol", 1, 1'000'000) != kProtocol)
        throw core::Error(core::Status::failed,
                          "the peer's rocectl speaks another form of the probe's protocol (" +
                              std::to_string(message.numbers.at("protocol")) + ", here " +
                              std::to_string(kProtocol) + "): install one version on both");
    return message;
}

}  // namespace

std::string read_secret(const std::string& file, bool only_trusted) {
    const netlink::Descriptor opened = only_trusted ? open_trusted(file) : open_to_read(file);
    struct stat status = {};
    if (::fstat(opened.number(), &status) != 0) throw failure(file);
    if ((status.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH)) != 0)
        throw core::Error(core::Status::invalid_input,
                          file + ": others can read or write it: chmod 600 " + file);
    std::string text = read_rest(opened.number(), file);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (text.size() < kShortest)
        throw core::Error(core::Status::invalid_input,
                          file + ": found " + std::to_string(text.size()) +
                              " bytes, a secret has 16 or more: openssl rand -hex 32 makes one");
    return text;
}

void ServerHandshake::begin(ControlConnection& control_connection) {
    own_ = nonce();
    control_connection.send(
        {.kind = "hello", .numbers = {{"protocol", kProtocol}}, .words = {{"nonce", own_}}});
}

void ServerHandshake::go_on(ControlConnection& control_connection, const Message& said) {
    const std::string& other = core::probe::word_in(of_kind(said, "hello"), "nonce");
    check_proof(said, proof(secret_, "client", own_, other));
    control_connection.send(
        {.kind = "welcome", .words = {{"proof", proof(secret_, "server", own_, other)}}});
    control_connection.use(hmac(secret_, {"session ", own_, " ", other}));
}

void handshake_as_server(ControlConnection& control_connection, const std::string& secret) {
    ServerHandshake welcome(secret);
    welcome.begin(control_connection);
    welcome.go_on(control_connection, control_connection.receive(kHandshakeLimit));
}

void handshake_as_client(ControlConnection& control_connection, const std::string& secret) {
    ClientHandshake handshake(secret);
    try {
        while (!handshake.go_on(control_connection, control_connection.receive(kHandshakeLimit)))
            continue;
    } catch (const PeerSilent&) {
        throw PeerSilent(control_connection.is_acknowledged()
                             ? std::string("the peer: ") + kServerSilent
                             : std::string("the peer's host does not answer any more"));
    }
}

bool ClientHandshake::go_on(ControlConnection& control_connection, const Message& said) {
    if (own_.empty()) {
        other_ = core::probe::word_in(of_kind(said, "hello"), "nonce");
        own_ = nonce();
        control_connection.send(
            {.kind = "hello",
             .numbers = {{"protocol", kProtocol}},
             .words = {{"nonce", own_}, {"proof", proof(secret_, "client", other_, own_)}}});
        return false;
    }
    check_proof(of_kind(said, "welcome"), proof(secret_, "server", other_, own_));
    control_connection.use(hmac(secret_, {"session ", other_, " ", own_}));
    return true;
}

}  // namespace cli
