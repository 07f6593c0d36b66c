// SPDX-License-Identifier: Apache-2.0
// The side of a probe that begins, where the other is stopped, slow or gone.
#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>

#include "verbs/probe/client.hpp"

namespace client_test {
namespace {

using core::probe::Message;
using std::chrono::milliseconds;
using verbs::ControlConnection;
using verbs::ProbeClient;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kPace{20};
constexpr milliseconds kLong{60'000};

/// Both ends of a TCP connection: of another kind the kernel does not say what was acknowledged.
struct Joined {
    netlink::Descriptor client{::socket(AF_INET, SOCK_STREAM, 0)};
    netlink::Descriptor server{};

    Joined() {
        const netlink::Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof at;
        auto* const name = reinterpret_cast<sockaddr*>(&at);
        REQUIRE(::bind(listener.number(), name, size) == 0);
        REQUIRE(::listen(listener.number(), 1) == 0);
        REQUIRE(::getsockname(listener.number(), name, &size) == 0);
        REQUIRE(::connect(client.number(), name, size) == 0);
        server = netlink::Descriptor(::accept(listener.number(), nullptr, nullptr));
        REQUIRE(server.number() >= 0);
    }
};

/// A caller whose peer does `serves` each time the caller looks whether the user wants no more.
struct Scene {
    Joined joined{};
    ControlConnection connection{std::move(joined.client), ControlConnection::Side::client};
    ControlConnection server{std::move(joined.server), ControlConnection::Side::server};
    std::function<void()> serves{};
    ProbeClient client{connection, {}, {.limit = kLong, .pace = kPace, .stopped = [this] {
                                            if (serves) serves();
                                            return false;
                                        }}};
};

/// How long it took until the work threw PeerSilent, and with which words.
template <typename Work>
std::string silence_of(Work work, milliseconds& took) {
    const auto start = Clock::now();
    std::string out = "nothing was thrown";
    try {
        work();
    } catch (const verbs::PeerSilent& error) {
        out = error.what();
    }
    took = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    return out;
}

constexpr const char* kStopped =
    "the peer's host answers, and rocectl there does not run on: it is stopped, or gets no "
    "processor";

}  // namespace

TEST_CASE("caller: a peer that is stopped is reported long before its answer would be due") {
    Scene scene;
    milliseconds took{};
    CHECK(silence_of([&] { scene.client.await_answer(kLong); }, took) == kStopped);
    CHECK(took >= 6 * kPace);
    CHECK(took < kLong / 10);
    // Whatever else would be asked of it is not waited for once more.
    CHECK(silence_of([&] { scene.client.ask({.kind = "shut"}); }, took) == kStopped);
    CHECK(took < kPace);
    CHECK(scene.client.presence().text == kStopped);
    CHECK_FALSE(scene.client.settle().runs);
}

TEST_CASE("caller: a peer that is at work is waited for as long as it says that it is alive") {
    Scene scene;
    const auto end = Clock::now() + 8 * kPace;
    bool answered = false;
    unsigned inquiries = 0;
    scene.serves = [&] {
        while (const auto said = scene.server.receive_now()) {
            CHECK(said->kind == "alive");
            ++inquiries;
            scene.server.send({.kind = "alive"});
        }
        if (Clock::now() < end || answered) return;
        answered = true;
        scene.server.send({.kind = "ended"});
    };
    CHECK(scene.client.await_answer(kLong).kind == "ended");
    CHECK(inquiries >= 2);
}

TEST_CASE(
    "caller: a peer that says it is alive and does not end is told apart from a stopped one") {
    Scene scene;
    // The last of its answers are on their way when it is asked a last time.
    scene.serves = [&] {
        while (scene.server.receive_now())
            scene.server.send({.kind = "alive"});
        for (int i = 0; i < 2; ++i)
            scene.server.send({.kind = "alive"});
    };
    milliseconds took{};
    CHECK(silence_of([&] { scene.client.await_answer(3 * kPace); }, took) ==
          "the peer's rocectl runs and answers, and has not come to an end in time");
}

TEST_CASE("caller: a peer whose process has ended is reported at once, and afterwards") {
    Scene scene;
    scene.server = ControlConnection(netlink::Descriptor(), ControlConnection::Side::server);
    CHECK_THROWS_AS(scene.client.await_answer(kLong), verbs::PeerGone);
    CHECK(scene.client.presence().text == "the peer's rocectl has ended");
}

TEST_CASE("server: what an unknown peer says is repeated in part, on one line") {
    const std::string flood = "a\x1b[2J\n" + std::string(60'000, 'x');
    for (const Message& said :
         {Message{.kind = flood}, Message{.kind = "failed", .words = {{"text", flood}}},
          Message{.kind = "hello", .words = {{flood, "x"}}}}) {
        Joined joined;
        ControlConnection client(std::move(joined.client), ControlConnection::Side::client);
        ControlConnection server(std::move(joined.server), ControlConnection::Side::server);
        client.send(said);
        std::string told;
        try {
            verbs::handshake_as_server(server, "secret");
        } catch (const std::exception& error) {
            told = error.what();
        }
        CHECK(told.size() > 10);
        CHECK(told.size() < 300);
        CHECK(told.find('\n') == std::string::npos);
        CHECK(told.find('\x1b') == std::string::npos);
    }
}

}  // namespace client_test
