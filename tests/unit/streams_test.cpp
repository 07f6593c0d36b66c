// SPDX-License-Identifier: Apache-2.0
// Data connections of a probe: who gets in, and what goes over them.
#include <doctest/doctest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/plan/state_file.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/listener.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/probe/run_parts.hpp"
#include "verbs/probe/server.hpp"
#include "verbs/socket.hpp"
#include "verbs/streams.hpp"

namespace {

using core::probe::Measurement;
using core::probe::Operation;
using std::chrono::milliseconds;
using verbs::ControlConnection;
using verbs::Key;
using verbs::Streams;

constexpr milliseconds kSoon{1000};

Key key_of(std::uint8_t byte) {
    Key out{};
    out.fill(byte);
    return out;
}

void put_in(const netlink::Descriptor& socket, const Key& key) {
    REQUIRE(::send(socket.number(), key.data(), key.size(), 0) == 32);
}

verbs::Wait wait_for(milliseconds limit) {
    return {limit, [] {}};
}

struct Ends {
    std::vector<netlink::Descriptor> here{};
    std::vector<netlink::Descriptor> there{};
};

Ends joined(std::size_t connections) {
    Ends out;
    for (std::size_t i = 0; i < connections; ++i) {
        int both[2] = {};  // NOLINT(*-avoid-c-arrays): as socketpair takes them
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
        out.here.emplace_back(both[0]);
        out.there.emplace_back(both[1]);
    }
    return out;
}

/// The other side, in a process of its own; its status is what it returned.
class OtherSide {
public:
    explicit OtherSide(const std::function<int()>& work) : child_(::fork()) {
        if (child_ == 0) ::_exit(work());
    }
    OtherSide(const OtherSide&) = delete;
    OtherSide& operator=(const OtherSide&) = delete;
    [[nodiscard]] int status() const {
        int status = 0;
        ::waitpid(child_, &status, 0);
        return WEXITSTATUS(status);
    }

private:
    pid_t child_;
};

const std::string kSecret = "0123456789abcdef";

/// Both ends of a connection that has been greeted; of the server's none where it is not let in.
struct Greeted {
    ControlConnection client;
    std::optional<ControlConnection> server{};
};

Greeted greet(verbs::Listener& listener, ControlConnection client,
              const std::string& secret = kSecret) {
    Greeted out{.client = std::move(client)};
    verbs::ClientHandshake handshake(secret);
    for (int i = 0; i < 100 && !out.server; ++i) {
        out.server = listener.next(milliseconds(10));
        try {
            if (const auto said = out.client.receive_now()) handshake.go_on(out.client, *said);
        } catch (const verbs::PeerGone&) {
            break;
        }
    }
    return out;
}

ControlConnection control_connection_to(const std::string& where) {
    return {verbs::connect_to(where), ControlConnection::Side::client};
}

bool is_ended(const netlink::Descriptor& socket) {
    std::array<char, 4096> room{};
    ssize_t got = 1;
    while (got > 0)
        got = ::recv(socket.number(), room.data(), room.size(), MSG_DONTWAIT);
    return got == 0 || errno == ECONNRESET;
}

}  // namespace

TEST_CASE("streams: a client is let in beside strangers who say nothing, however many") {
    verbs::Listener listener(verbs::listen_at("127.0.0.1:0"), kSecret, [](const std::string&) {});
    const std::string where = verbs::own_end(listener.number()).text();
    std::vector<netlink::Descriptor> silent;
    for (int i = 0; i < 20; ++i) {
        silent.push_back(verbs::connect_to(where));
        CHECK_FALSE(listener.next(milliseconds(100)));
    }
    const auto start = std::chrono::steady_clock::now();
    CHECK(greet(listener, control_connection_to(where)).server);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
    // The first who came made room; the last may still speak.
    CHECK(is_ended(silent.front()));
    CHECK_FALSE(is_ended(silent.back()));
    CHECK_FALSE(greet(listener, control_connection_to(where), "0123456789abcdeX").server);
    CHECK(greet(listener, control_connection_to(where)).server);
}

TEST_CASE("streams: who has to wait while another is served loses no time by it") {
    verbs::Listener listener(verbs::listen_at("127.0.0.1:0"), kSecret, [](const std::string&) {});
    const std::string where = verbs::own_end(listener.number()).text();
    ControlConnection first = control_connection_to(where);
    ControlConnection second = control_connection_to(where);
    const netlink::Descriptor stranger = verbs::connect_to(where);
    REQUIRE(greet(listener, std::move(first)).server);
    for (int i = 0; i < 3; ++i)
        CHECK_FALSE(listener.next(milliseconds(10)));
    std::this_thread::sleep_for(verbs::kHandshakeLimit + milliseconds(200));  // the first is served
    CHECK_FALSE(listener.next(milliseconds(10)));
    CHECK_FALSE(is_ended(stranger));
    CHECK(greet(listener, std::move(second)).server);
}

TEST_CASE("streams: who shows the token gets in, in its place; others wait for their turn") {
    verbs::Listener listener(verbs::listen_at("127.0.0.1:0"), kSecret, [](const std::string&) {});
    const std::string where = verbs::own_end(listener.number()).text();
    const Greeted handshaken = greet(listener, control_connection_to(where));
    REQUIRE(handshaken.server);
    const ControlConnection& control = handshaken.client;
    const ControlConnection& served = *handshaken.server;
    const std::vector<Key> tokens = {key_of(1), key_of(2)};
    // Another client, a stranger with a wrong token, one that says nothing much, one that is gone.
    ControlConnection client = control_connection_to(where);
    const netlink::Descriptor wrong = verbs::connect_beside(control.number(), 104, kSoon);
    put_in(wrong, key_of(3));
    const netlink::Descriptor brief = verbs::connect_beside(control.number(), 104, kSoon);
    REQUIRE(::send(brief.number(), "GET /", 5, 0) == 5);
    { const netlink::Descriptor ended = verbs::connect_beside(control.number(), 104, kSoon); }
    const netlink::Descriptor second = verbs::connect_beside(control.number(), 104, kSoon);
    put_in(second, tokens[1]);
    const netlink::Descriptor first = verbs::connect_beside(control.number(), 104, kSoon);
    put_in(first, tokens[0]);
    // A token lets one in.
    const netlink::Descriptor again = verbs::connect_beside(control.number(), 104, kSoon);
    put_in(again, tokens[0]);
    const auto taken = listener.claimed(tokens, verbs::peer_end(served.number()).ip(), [] {});
    REQUIRE(taken.size() == 2);
    CHECK(verbs::peer_end(taken[0].number()).text() == verbs::own_end(first.number()).text());
    CHECK(verbs::peer_end(taken[1].number()).text() == verbs::own_end(second.number()).text());
    char byte = 0;
    CHECK(::recv(taken[0].number(), &byte, 1, MSG_DONTWAIT) < 0);
    const std::string name = verbs::own_end(client.number()).text();
    const Greeted next = greet(listener, std::move(client));
    REQUIRE(next.server);
    CHECK(verbs::peer_end(next.server->number()).text() == name);
    CHECK(is_ended(wrong));
    CHECK(is_ended(brief));
    int tos = 0;
    socklen_t size = sizeof tos;
    REQUIRE(::getsockopt(first.number(), IPPROTO_IP, IP_TOS, &tos, &size) == 0);
    CHECK(tos == 104);
}

TEST_CASE("streams: from another address nobody gets in, and what looks on ends the wait") {
    verbs::Listener listener(verbs::listen_at("127.0.0.1:0"), kSecret, [](const std::string&) {});
    const Greeted handshaken =
        greet(listener, control_connection_to(verbs::own_end(listener.number()).text()));
    const ControlConnection& control = handshaken.client;
    const netlink::Descriptor data = verbs::connect_beside(control.number(), 104, kSoon);
    put_in(data, key_of(1));
    int looks = 0;
    const auto poll_client = [&] {
        if (++looks == 5) throw verbs::PeerGone("gone");
    };
    CHECK_THROWS_AS(listener.claimed({key_of(1)}, *core::parse_ip("127.0.0.2"), poll_client),
                    verbs::PeerGone);
}

TEST_CASE("streams: what goes to and fro is counted, and another's bytes are reported") {
    using Completion = verbs::Completion;
    const Measurement what{.operation = Operation::tcp, .size = 70'000, .number = 5};
    for (const auto how : {Completion::poll, Completion::event, Completion::adaptive}) {
        Ends ends = joined(1);
        const OtherSide other([&] {
            Streams streams(std::move(ends.there), how, what.size);
            verbs::Wait wait = wait_for(milliseconds{5000});
            verbs::prepare_pong(streams, what);
            verbs::pong(streams, what, wait);
            return 7;
        });
        Streams streams(std::move(ends.here), how, what.size);
        verbs::Wait wait = wait_for(milliseconds{5000});
        verbs::prepare_pong(streams, what);
        CHECK(verbs::ping(streams, what, wait).size() == 4);
        CHECK(other.status() == 7);
    }
    const Measurement brief{.operation = Operation::tcp, .size = 2, .number = 1};
    Ends ends = joined(1);
    REQUIRE(::send(ends.there[0].number(), "xy", 2, 0) == 2);
    Streams streams(std::move(ends.here), Completion::poll, brief.size);
    verbs::Wait wait = wait_for(milliseconds{1000});
    verbs::prepare_pong(streams, brief);
    CHECK_THROWS_AS(verbs::ping(streams, brief, wait), core::Error);
}

TEST_CASE("streams: a flow is counted on both sides, and its rate is kept") {
    for (const std::uint64_t rate : {std::uint64_t{0}, std::uint64_t{80'000'000}}) {
        Ends ends = joined(3);
        std::uint64_t received = 0;
        int result[2] = {};  // NOLINT(*-avoid-c-arrays): as pipe takes them
        REQUIRE(::pipe(result) == 0);
        const OtherSide other([&] {
            for (netlink::Descriptor& one : ends.here)
                one = netlink::Descriptor();
            Streams streams(std::move(ends.there), verbs::Completion::event, 1);
            verbs::Wait wait = wait_for(milliseconds{5000});
            const std::uint64_t bytes = streams.receive_all(wait);
            return ::write(result[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1;
        });
        for (netlink::Descriptor& one : ends.there)
            one = netlink::Descriptor();
        const Measurement what{.operation = Operation::tcp,
                               .bandwidth = true,
                               .size = 1000,
                               .duration = milliseconds{50},
                               .bits_a_second = rate};
        Streams streams(std::move(ends.here), verbs::Completion::event, what.size);
        verbs::Wait wait = wait_for(milliseconds{5000});
        const auto sent = verbs::run_stream(streams, what, {.client = true}, wait);
        streams.finish();
        CHECK(other.status() == 0);
        REQUIRE(::read(result[0], &received, sizeof received) == sizeof received);
        CHECK(received == sent.bytes);
        CHECK(sent.bytes == sent.messages * 1000);
        CHECK(sent.messages > 10);
        if (rate != 0) CHECK(sent.messages <= 501);
        ::close(result[0]);
        ::close(result[1]);
    }
}

TEST_CASE("streams: of what one message describes both sides do their half") {
    verbs::Listener listener(verbs::listen_at("127.0.0.1:0"), kSecret, [](const std::string&) {});
    const std::string where = verbs::own_end(listener.number()).text();
    const OtherSide server([&] {
        core::StateFile host{core::State{}};
        std::optional<ControlConnection> client;
        while (!client)
            client = listener.next(milliseconds(100));
        try {
            verbs::ProbeServer(*client, host,
                               {.address = verbs::own_end(client->number()).ip(),
                                .listener = &listener,
                                .stopped = [] { return false; }})
                .run();
        } catch (const std::exception&) {
            return 3;
        }
        return 7;
    });
    ControlConnection control = control_connection_to(where);
    verbs::handshake_as_client(control, kSecret);
    verbs::ProbeClient client(control, {}, {.stopped = [] { return false; }});
    const auto latency =
        verbs::measure(client, {.operation = Operation::tcp, .size = 5000, .number = 20});
    CHECK(latency.latency->times.count() == 19);
    const auto bandwidth = verbs::measure(client, {.operation = Operation::tcp,
                                                   .bandwidth = true,
                                                   .size = 1000,
                                                   .queue_pairs = 3,
                                                   .duration = milliseconds{50}});
    CHECK(bandwidth.bandwidth->bytes == bandwidth.bandwidth->messages * 1000);
    CHECK(bandwidth.bandwidth->messages > 0);
    for (const bool writes : {false, true}) {
        const auto calls = verbs::measure(client, {.operation = Operation::tcp_rpc,
                                                   .size = 4096,
                                                   .depth = 8,
                                                   .number = 50,
                                                   .writes = writes});
        CHECK(calls.latency->times.count() == 50);
        CHECK(calls.data == (writes ? "write" : "read"));
    }
    // More than was opened for is refused, and the server goes on.
    const Measurement large{.operation = Operation::tcp, .size = 100'000};
    CHECK_THROWS_AS(client.ask(verbs::message_of(large, kSoon)), core::Error);
    CHECK_THROWS_AS(client.ask(verbs::message_of(Measurement{.size = 0}, kSoon)), core::Error);
    control.send({.kind = "close"});
    CHECK(server.status() == 7);
}

TEST_CASE("streams: one that ends, breaks or stands still is bounded and told") {
    Ends ends = joined(2);
    constexpr std::uint64_t kMuch = 10'000'000;
    Streams streams(std::move(ends.here), verbs::Completion::event, kMuch);
    verbs::Wait brief = wait_for(milliseconds{30});
    streams.post_receive(10);
    CHECK_THROWS_AS(streams.received(brief), verbs::TimeOver);
    verbs::Wait still = wait_for(milliseconds{30});
    streams.post({.size = kMuch});
    CHECK_THROWS_AS(streams.sent(still), verbs::TimeOver);
    ends.there.clear();
    verbs::Wait wait = wait_for(milliseconds{1000});
    streams.post_receive(10, 1);
    CHECK_THROWS_AS(streams.received(wait), verbs::StreamBroken);
    CHECK_THROWS_AS(streams.post({.size = 10}, 1), verbs::StreamBroken);
}

TEST_CASE("streams: who awaits more than comes before the end is told") {
    Ends ends = joined(1);
    Streams streams(std::move(ends.here), verbs::Completion::event, 10);
    verbs::Wait wait = wait_for(milliseconds{1000});
    REQUIRE(::send(ends.there[0].number(), "xy", 2, 0) == 2);
    streams.post_receive(2);
    streams.post_receive(3);
    CHECK(streams.received(wait).byte_len == 2);
    ends.there.clear();
    CHECK_THROWS_AS(streams.received(wait), verbs::StreamBroken);
}

TEST_CASE("streams: tokens differ by side, opening, place and key") {
    Ends ends = joined(2);
    verbs::ControlConnection one(std::move(ends.here[0]), verbs::ControlConnection::Side::client);
    const verbs::ControlConnection other(std::move(ends.here[1]),
                                         verbs::ControlConnection::Side::server);
    using Side = verbs::ControlConnection::Side;
    const Key token = one.token(Side::client, 0, 0);
    CHECK(other.token(Side::client, 0, 0) == token);
    CHECK(one.token(Side::server, 0, 0) != token);
    CHECK(one.token(Side::client, 1, 0) != token);
    CHECK(one.token(Side::client, 0, 1) != token);
    one.use(key_of(9));
    CHECK(one.token(Side::client, 0, 0) != token);
}
