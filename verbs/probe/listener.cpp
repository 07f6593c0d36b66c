// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/listener.hpp"

#include <nettle/memops.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/error.hpp"
#include "core/probe/parameters.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/socket.hpp"

namespace verbs {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// As many as wait in the kernel.
constexpr std::size_t kMostWaiting = 16;
constexpr std::size_t kMostPendingClients = core::probe::kMostPairs + kMostWaiting;

/// What is known of a connection by the bytes it begins with, which stay where they are.
enum class Beginning : std::uint8_t { open, ended, other };

/// Whose token it begins with goes to `place`.
Beginning beginning(int socket, const std::vector<Key>& tokens, std::size_t& place) {
    Key found{};
    const ssize_t got = ::recv(socket, found.data(), found.size(), MSG_PEEK | MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return Beginning::ended;
    if (got < static_cast<ssize_t>(found.size())) return Beginning::open;
    for (place = 0; place < tokens.size(); ++place)
        if (::nettle_memeql_sec(found.data(), tokens[place].data(), found.size()) != 0) break;
    return Beginning::other;
}

/// Those that came while data connections are awaited.
class Claims {
public:
    explicit Claims(const std::vector<Key>& tokens) : tokens_(tokens), claimed_(tokens.size()) {}

    [[nodiscard]] bool are_all_there() const { return missing_ == 0; }
    [[nodiscard]] bool have_room() const { return pending_clients_.size() < kMostPendingClients; }
    void add(netlink::Descriptor socket) { pending_clients_.push_back(std::move(socket)); }
    void look_at_all() {
        for (netlink::Descriptor& socket : pending_clients_) {
            std::size_t place = 0;
            const Beginning begins = beginning(socket.number(), tokens_, place);
            if (begins == Beginning::ended) socket = netlink::Descriptor();
            if (begins != Beginning::other || place == tokens_.size()) continue;
            if (claimed_[place].number() >= 0) {
                socket = netlink::Descriptor();
                continue;
            }
            Key taken{};
            ::recv(socket.number(), taken.data(), taken.size(), MSG_DONTWAIT);
            claimed_[place] = std::move(socket);
            --missing_;
        }
        std::erase_if(pending_clients_,
                      [](const netlink::Descriptor& one) { return one.number() < 0; });
    }
    std::vector<netlink::Descriptor> take() { return std::move(claimed_); }
    std::vector<netlink::Descriptor> others() { return std::move(pending_clients_); }

private:
    const std::vector<Key>& tokens_;
    std::vector<netlink::Descriptor> claimed_;
    std::vector<netlink::Descriptor> pending_clients_{};
    std::size_t missing_ = tokens_.size();
};

}  // namespace

void Listener::let_wait(netlink::Descriptor client) {
    if (client.number() >= 0 && waiting_.size() < kMostWaiting)
        waiting_.push_back(std::move(client));
}

void Listener::greet(netlink::Descriptor client) {
    if (client.number() < 0) return;
    // Of too many the one that has said nothing for the longest time goes.
    if (pending_clients_.size() >= kMostWaiting) {
        const auto silent = std::ranges::find_if(pending_clients_, [](const PendingClient& one) {
            return !one.control_connection.await_some(milliseconds{0});
        });
        pending_clients_.erase(silent == pending_clients_.end() ? pending_clients_.begin()
                                                                : silent);
    }
    pending_clients_.push_back({.control_connection = ControlConnection(
                                    std::move(client), ControlConnection::Side::server),
                                .welcome = ServerHandshake(secret_),
                                .end = Clock::now() + kHandshakeLimit});
    PendingClient& one = pending_clients_.back();
    try {
        one.welcome.begin(one.control_connection);
    } catch (const std::exception& error) {
        drop(one, error);
    }
}

void Listener::drop(PendingClient& one, const std::exception& error) const {
    warn_("client " + peer_end(one.control_connection.number()).text() + ": " + error.what());
    one.is_gone = true;
}

bool Listener::go_on(PendingClient& one) const {
    try {
        if (const auto said = one.control_connection.receive_now()) {
            one.welcome.go_on(one.control_connection, *said);
            return true;
        }
        if (Clock::now() < one.end) return false;
        throw PeerSilent("the peer says nothing");
    } catch (const std::exception& error) {
        drop(one, error);
        return false;
    }
}

void Listener::await_some(milliseconds limit) const {
    std::vector<pollfd> wanted = {{.fd = socket_.number(), .events = POLLIN, .revents = 0}};
    for (const PendingClient& one : pending_clients_)
        wanted.push_back({.fd = one.control_connection.number(), .events = POLLIN, .revents = 0});
    ::poll(wanted.data(), wanted.size(), static_cast<int>(limit.count()));
}

std::optional<ControlConnection> Listener::next(milliseconds limit) {
    // Time in which this served another is none in which they could have been heard.
    const Clock::time_point now = Clock::now();
    for (PendingClient& one : pending_clients_)
        one.end += now - left_;
    for (; !waiting_.empty(); waiting_.pop_front())
        greet(std::move(waiting_.front()));
    await_some(limit);
    greet(accept_one(socket_.number(), milliseconds{0}));
    std::optional<ControlConnection> out;
    for (auto one = pending_clients_.begin(); one != pending_clients_.end() && !out; ++one)
        if (!one->is_gone && go_on(*one)) {
            out = std::move(one->control_connection);
            one->is_gone = true;
        }
    std::erase_if(pending_clients_, [](const PendingClient& one) { return one.is_gone; });
    left_ = Clock::now();
    return out;
}

std::vector<netlink::Descriptor> Listener::claimed(const std::vector<Key>& tokens,
                                                   const core::Ip& from,
                                                   const std::function<void()>& poll_client) {
    constexpr milliseconds kLimit{5000};
    constexpr milliseconds kBetween{5};
    const auto end = Clock::now() + kLimit;
    Claims claims(tokens);
    while (!claims.are_all_there() && Clock::now() < end) {
        netlink::Descriptor socket = accept_one(socket_.number(), kBetween);
        if (socket.number() >= 0 && peer_end(socket.number()).ip() == from && claims.have_room())
            claims.add(std::move(socket));
        else
            let_wait(std::move(socket));
        claims.look_at_all();
        poll_client();
    }
    for (netlink::Descriptor& other : claims.others())
        let_wait(std::move(other));
    if (!claims.are_all_there())
        throw core::Error(core::Status::failed,
                          "the data connections did not come in " +
                              std::to_string(kLimit.count() / 1000) +
                              " s: something between the two lets a first connection pass alone");
    return claims.take();
}

}  // namespace verbs
