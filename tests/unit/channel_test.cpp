// SPDX-License-Identifier: Apache-2.0
// The connection of the two sides of a probe, and what a stranger may put into it.
#include <doctest/doctest.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "core/error.hpp"
#include "verbs/probe/control_connection.hpp"

namespace {

using core::probe::Message;
using std::chrono::milliseconds;
using verbs::ControlConnection;

struct Sockets {
    netlink::Descriptor client{};
    netlink::Descriptor server{};
};

Sockets sockets() {
    int both[2] = {};  // NOLINT(*-avoid-c-arrays): as socketpair takes them
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, both) == 0);
    return {netlink::Descriptor(both[0]), netlink::Descriptor(both[1])};
}

struct Pair {
    Sockets sockets_ = sockets();
    ControlConnection client{std::move(sockets_.client), ControlConnection::Side::client};
    ControlConnection server{std::move(sockets_.server), ControlConnection::Side::server};
};

void put(int socket, const std::string& bytes) {
    REQUIRE(::send(socket, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
}

std::string taken(int socket) {
    std::string out(70'000, '\0');
    const ssize_t got = ::recv(socket, out.data(), out.size(), 0);
    out.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return out;
}

const Message kOne{.kind = "fill", .numbers = {{"size", 1}}, .words = {}};
const Message kTwo{.kind = "check", .numbers = {{"size", 2}}, .words = {}};

/// The status of a process that does the work: 0 where nothing was thrown.
int in_process(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            work();
            ::_exit(0);
        } catch (const core::Error&) {
            ::_exit(3);
        } catch (...) {
            ::_exit(4);
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("channel: what is sent arrives, in its order and in pieces") {
    Pair pair;
    pair.client.send(kOne);
    pair.client.send(kTwo);
    CHECK(pair.server.receive(milliseconds(100)) == kOne);
    CHECK(pair.server.receive_now() == kTwo);
    CHECK_FALSE(pair.server.receive_now());
    CHECK_THROWS_AS(pair.server.receive(milliseconds(10)), verbs::PeerSilent);
    Sockets raw = sockets();
    ControlConnection source(netlink::Descriptor(::dup(raw.client.number())),
                             ControlConnection::Side::client);
    source.send(kOne);
    const std::string bytes = taken(raw.server.number());
    Sockets slow = sockets();
    ControlConnection end(std::move(slow.server), ControlConnection::Side::server);
    for (const char byte : bytes.substr(0, bytes.size() - 1)) {
        put(slow.client.number(), std::string(1, byte));
        CHECK_FALSE(end.receive_now());
    }
    put(slow.client.number(), bytes.substr(bytes.size() - 1));
    CHECK(end.receive_now() == kOne);
    slow.client = netlink::Descriptor();
    CHECK_THROWS_AS(end.receive(milliseconds(100)), verbs::PeerGone);
}

TEST_CASE("channel: a message that was changed, doubled, left out or sent back is none") {
    Sockets from = sockets();
    ControlConnection source(netlink::Descriptor(::dup(from.client.number())),
                             ControlConnection::Side::client);
    source.send(kOne);
    const std::string first = taken(from.server.number());
    source.send(kTwo);
    const std::string second = taken(from.server.number());
    std::vector<std::string> wrong{first + first, second, first + first.substr(0, 40) + "x"};
    for (std::size_t i = 4; i < first.size(); ++i) {
        std::string changed = first;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        wrong.push_back(changed);
    }
    for (const std::string& bytes : wrong) {
        Sockets to = sockets();
        ControlConnection end(std::move(to.server), ControlConnection::Side::server);
        put(to.client.number(), bytes);
        to.client = netlink::Descriptor();
        const auto all = [&] {
            for (int i = 0; i < 3; ++i)
                static_cast<void>(end.receive(milliseconds(100)));
        };
        CHECK_THROWS(all());
    }
    // What this side sent itself is not of the other.
    Sockets mirror = sockets();
    ControlConnection end(std::move(mirror.server), ControlConnection::Side::client);
    put(mirror.client.number(), first);
    CHECK_THROWS_AS(end.receive(milliseconds(100)), core::Error);
    // A length that is more than any message's is refused before anything is kept for it.
    Sockets large = sockets();
    ControlConnection other(std::move(large.server), ControlConnection::Side::server);
    put(large.client.number(), std::string("\x7f\xff\xff\xff", 4));
    CHECK_THROWS_AS(other.receive(milliseconds(100)), core::Error);
}

TEST_CASE("channel: a handshake needs the secret on both sides, which is never sent") {
    const std::string secret = "0123456789abcdef";
    for (const std::string& other : {secret, std::string("0123456789abcdeX"), std::string()}) {
        CAPTURE(other);
        Sockets both = sockets();
        const int client = both.client.number();
        const int server = both.server.number();
        const auto serve = [&] {
            ControlConnection control_connection((netlink::Descriptor(server)),
                                                 ControlConnection::Side::server);
            verbs::handshake_as_server(control_connection, secret);
            if (control_connection.receive(milliseconds(1000)) != kOne)
                throw std::runtime_error("other");
        };
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(client);
            ::_exit(in_process(serve));
        }
        both.server = netlink::Descriptor();
        ControlConnection control_connection(std::move(both.client),
                                             ControlConnection::Side::client);
        bool handshaken = true;
        try {
            verbs::handshake_as_client(control_connection, other);
            control_connection.send(kOne);
        } catch (const std::exception&) {
            handshaken = false;
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(handshaken == (other == secret));
        CHECK((WEXITSTATUS(status) == 0) == (other == secret));
    }
}
