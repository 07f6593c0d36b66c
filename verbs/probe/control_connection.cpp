// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/control_connection.hpp"

#include <linux/sockios.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>

#include "core/error.hpp"
#include "core/model/quote.hpp"

namespace verbs {
namespace {

using core::probe::Message;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kSendLimit{5000};

/// Eight bytes, most significant first.
std::string big_endian(std::uint64_t number) {
    std::string out;
    for (unsigned i = sizeof number; i > 0; --i)
        out.push_back(static_cast<char>(number >> (8 * (i - 1))));
    return out;
}

std::string_view view(const Key& key) {
    return {reinterpret_cast<const char*>(key.data()), key.size()};
}

/// Whether the socket is ready before the time is over.
bool await(int socket, short events, milliseconds limit) {
    pollfd wanted = {.fd = socket, .events = events, .revents = 0};
    return ::poll(&wanted, 1, static_cast<int>(limit.count())) > 0;
}

PeerGone gone() {
    return PeerGone("the peer's rocectl closed the connection");
}

}  // namespace

Key hmac(std::string_view key, std::initializer_list<std::string_view> parts) {
    hmac_sha256_ctx context{};
    ::nettle_hmac_sha256_set_key(&context, key.size(),
                                 reinterpret_cast<const std::uint8_t*>(key.data()));
    for (const std::string_view part : parts)
        ::nettle_hmac_sha256_update(&context, part.size(),
                                    reinterpret_cast<const std::uint8_t*>(part.data()));
    Key out{};
    ::nettle_hmac_sha256_digest(&context, out.size(), out.data());
    return out;
}

ControlConnection::ControlConnection(netlink::Descriptor socket, Side side)
    : socket_(std::move(socket)), side_(side) {}

Key ControlConnection::code_of(Side from, std::uint64_t number, std::string_view bytes) const {
    return hmac(view(key_),
                {from == Side::client ? "client" : "server", big_endian(number), bytes});
}

Key ControlConnection::token(Side from, std::uint64_t opening, std::uint64_t place) const {
    return hmac(view(key_), {"data ", from == Side::client ? "client" : "server",
                             big_endian(opening), big_endian(place)});
}

void ControlConnection::send(const Message& message) {
    std::string bytes = core::probe::bytes_of(message);
    const Key code = code_of(side_, sent_++, bytes);
    const std::string frame =
        core::probe::bytes_of({.code = std::string(view(code)), .bytes = std::move(bytes)});
    const Clock::time_point end = Clock::now() + kSendLimit;
    std::string_view left = frame;
    while (!left.empty()) {
        const ssize_t wrote =
            ::send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (wrote > 0) {
            left.remove_prefix(static_cast<std::size_t>(wrote));
        } else if (errno != EAGAIN && errno != EINTR) {
            throw gone();
        } else {
            const auto time = std::chrono::duration_cast<milliseconds>(end - Clock::now());
            if (time.count() <= 0 || !await(socket_.number(), POLLOUT, time))
                throw PeerSilent("the peer takes no message");
        }
    }
}

bool ControlConnection::fill(milliseconds limit) {
    if (!await(socket_.number(), POLLIN, limit)) return false;
    std::array<char, 4096> room{};
    const ssize_t got = ::recv(socket_.number(), room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) throw gone();
    arrived_.append(room.data(), static_cast<std::size_t>(got));
    return true;
}

std::optional<Message> ControlConnection::take() {
    const auto frame = core::probe::take_frame(arrived_);
    if (!frame) return std::nullopt;
    const Side from = side_ == Side::client ? Side::server : Side::client;
    const Key code = code_of(from, received_++, frame->bytes);
    if (::nettle_memeql_sec(code.data(), frame->code.data(), code.size()) == 0)
        throw core::Error(core::Status::failed,
                          "a message is not of the peer: the two have different secrets, or "
                          "somebody is between them");
    return core::probe::parse_message(frame->bytes);
}

Message ControlConnection::receive(milliseconds limit) {
    const Clock::time_point end = Clock::now() + limit;
    for (;;) {
        if (auto message = take()) return *std::move(message);
        const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
        if (left.count() <= 0 || !fill(left)) throw PeerSilent("the peer says nothing");
    }
}

std::optional<Message> ControlConnection::receive_now() {
    if (auto message = take()) return message;
    if (!fill(milliseconds{0})) return std::nullopt;
    return take();
}

bool ControlConnection::await_some(milliseconds limit) const {
    return !arrived_.empty() || await(socket_.number(), POLLIN, limit);
}

bool ControlConnection::is_acknowledged() const {
    int left = 0;
    return ::ioctl(socket_.number(), SIOCOUTQ, &left) == 0 && left == 0;  // NOLINT(*-vararg)
}

namespace {

constexpr std::uint64_t kProtocol = 2;

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

/// What came is of that kind; an answer in words ends it. Nobody knows yet who sends them, so that
/// no more of them is repeated than a failure of rocectl takes.
const Message& of_kind(const Message& message, std::string_view kind) {
    if (message.kind == "failed")
        throw core::Error(
            core::Status::failed,
            "the peer: " + core::probe::short_line(core::probe::word_in(message, "text")));
    if (message.kind != kind)
        throw core::Error(core::Status::failed, "the peer sent " + core::in_quotes(message.kind) +
                                                    " where '" + std::string(kind) +
                                                    "' was expected");
    if (kind == "hello" && core::probe::number_in(message, "protocol", 1, 1'000'000) != kProtocol)
        throw core::Error(core::Status::failed,
                          "the peer's rocectl speaks another form of the probe's protocol (" +
                              std::to_string(message.numbers.at("protocol")) + ", here " +
                              std::to_string(kProtocol) + "): install one version on both");
    return message;
}

}  // namespace

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

}  // namespace verbs
