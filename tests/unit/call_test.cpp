// SPDX-License-Identifier: Apache-2.0
// Calls as a storage system makes them: their heads, their data, and the same over a connection.
#include <doctest/doctest.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/probe/payload.hpp"
#include "verbs/rpc.hpp"
#include "verbs/streams.hpp"

namespace call_test {

using namespace core::probe;

namespace {

verbs::Streams streams_of(int socket, const Measurement& what) {
    std::vector<netlink::Descriptor> one;
    one.emplace_back(socket);
    return {std::move(one), verbs::Completion::event, verbs::room_of(what).bytes()};
}

verbs::Called called(verbs::Streams& streams, const Measurement& what) {
    verbs::Wait wait(std::chrono::milliseconds{5000}, [] {});
    verbs::prepare_calls(streams, what, true);
    return verbs::call(streams, what, wait);
}

/// The other side of one data connection, in a process of its own: it serves, and ends with 0, 3
/// where it refused what came, 4 where the connection ended.
class Server {
public:
    explicit Server(const Measurement& what) {
        int both[2] = {};  // NOLINT(*-avoid-c-arrays): as socketpair takes them
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
        child_ = ::fork();
        if (child_ == 0) {
            ::close(both[0]);
            ::_exit(serve(both[1], what));
        }
        ::close(both[1]);
        socket = both[0];
    }
    [[nodiscard]] int status() const {
        int status = 0;
        ::waitpid(child_, &status, 0);
        return WEXITSTATUS(status);
    }
    int socket = -1;

private:
    static int serve(int socket, const Measurement& what) {
        verbs::Streams streams = streams_of(socket, what);
        verbs::Wait wait(std::chrono::milliseconds{5000}, [] {});
        try {
            verbs::prepare_calls(streams, what, false);
            verbs::answer(streams, what, wait);
            return 0;
        } catch (const core::Error&) {
            return 3;
        } catch (const verbs::StreamBroken&) {
            return 4;
        }
    }
    pid_t child_ = -1;
};

}  // namespace

TEST_CASE("calls: a head comes back as it was, and all else is refused") {
    const CallHead head{.number = 0x0102030405060708, .size = 65536, .writes = true};
    const auto bytes = bytes_of(head);
    CHECK(head_in(bytes) == head);
    CHECK(bytes[8] == 1);
    CHECK(bytes[15] == 8);
    CHECK_NOTHROW(expect_head(bytes, head));
    CHECK_THROWS_AS(expect_head(bytes_of({.number = 2}), {.number = 3}), core::Error);
    CHECK_THROWS_AS(expect_head(bytes_of({.number = 2, .reply = true}), {.number = 2}),
                    core::Error);
    CHECK_THROWS_AS(expect_head(bytes_of({.number = 2, .size = 9}), {.number = 2, .size = 8}),
                    core::Error);
    CHECK_FALSE(head_in(std::span(bytes).first(63)));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto other = bytes;
        other[i] ^= 0x80U;
        CHECK(head_in(other) != head);
    }
}

TEST_CASE("calls: data of another call, or with a byte that is not theirs, are reported") {
    for (const std::size_t size : {1U, 2U, 7U, 8U, 15U, 16U, 17U, 64U, 4097U}) {
        CAPTURE(size);
        std::vector<std::uint8_t> data(size);
        fill_data(data);
        stamp(data, 5);
        CHECK_NOTHROW(expect_data(data, 5, true));
        CHECK_THROWS_AS(expect_data(data, 6, false), core::Error);
        for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
            std::vector<std::uint8_t> wrong = data;
            wrong[place] ^= 1U;
            CHECK_THROWS_AS(expect_data(wrong, 5, true), core::Error);
        }
    }
}

TEST_CASE("calls: what is under way has a place of its own") {
    for (const bool together : {false, true})
        for (CallRoom room : {CallRoom{.size = 1, .depth = 1}, CallRoom{.size = 64, .depth = 3},
                              CallRoom{.size = 4097, .depth = 32}}) {
            room.together = together;
            std::set<std::uint64_t> begins;
            for (unsigned i = 0; i < room.depth; ++i) {
                CHECK(begins.insert(room.data_at(i)).second);
                CHECK(begins.insert(room.head_at(i)).second);
                CHECK((together ? room.data_at(i) == room.head_at(i) + kCallBytes
                                : room.data_at(i) + room.size <= room.head_at(0)));
                CHECK(std::max(room.data_at(i) + room.size, room.head_at(i) + kCallBytes) <=
                      room.bytes());
                CHECK(room.data_at(i + room.depth) == room.data_at(i));
            }
        }
}

TEST_CASE("calls: over a connection both ways, whatever the depth") {
    for (const bool writes : {false, true})
        for (const unsigned depth : {1U, 7U, 64U})
            for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{300'000}}) {
                CAPTURE(depth);
                const Measurement what{.operation = Operation::tcp_rpc,
                                       .size = size,
                                       .depth = depth,
                                       .number = 70,
                                       .writes = writes,
                                       .checked = true};
                const Server server(what);
                verbs::Streams streams = streams_of(server.socket, what);
                const verbs::Called done = called(streams, what);
                CHECK(done.times.size() == 70);
                CHECK(*std::ranges::min_element(done.times) > 0);
                CHECK(*std::ranges::max_element(done.times) <= done.nanoseconds);
                CHECK(server.status() == 0);
            }
}

TEST_CASE("calls: who asks for another size is refused, and so is who answers so") {
    const Measurement what{
        .operation = Operation::tcp_rpc, .size = 100, .number = 3, .writes = true};
    {
        const Server server(what);
        Measurement other = what;
        other.size = 101;
        verbs::Streams streams = streams_of(server.socket, other);
        CHECK_THROWS_AS(called(streams, other), verbs::StreamBroken);
        CHECK(server.status() == 3);
    }
    {
        const Server server(what);
        const auto request = bytes_of(CallHead{.size = 100, .writes = true});
        REQUIRE(::send(server.socket, request.data(), request.size(), 0) == 64);
        ::close(server.socket);
        CHECK(server.status() == 4);
    }
}

}  // namespace call_test
