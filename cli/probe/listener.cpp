// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/listener.hpp"

#include <nettle/memops.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "cli/probe/exchange.hpp"
#include "cli/probe/socket.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using std::chrono::milliseconds;

/// As many as wait in the kernel.
constexpr std::size_t kMostWaiting = 16;
constexpr std::size_t kMostNewcomers = kMostPairs + kMostWaiting;

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
    [[nodiscard]] bool have_room() const { return newcomers_.size() < kMostNewcomers; }
    void add(netlink::Descriptor socket) { newcomers_.push_back(std::move(socket)); }
    void look_at_all() {
        for (netlink::Descriptor& socket : newcomers_) {
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
        std::erase_if(newcomers_, [](const netlink::Descriptor& one) { return one.number() < 0; });
    }
    std::vector<netlink::Descriptor> take() { return std::move(claimed_); }
    std::vector<netlink::Descriptor> others() { return std::move(newcomers_); }

private:
    const std::vector<Key>& tokens_;
    std::vector<netlink::Descriptor> claimed_;
    std::vector<netlink::Descriptor> newcomers_{};
    std::size_t missing_ = tokens_.size();
};

}  // namespace

void Listener::let_wait(netlink::Descriptor client) {
    if (client.number() >= 0 && waiting_.size() < kMostWaiting)
        waiting_.push_back(std::move(client));
}

netlink::Descriptor Listener::next(milliseconds limit) {
    if (waiting_.empty()) return accept_one(socket_.number(), limit);
    netlink::Descriptor out = std::move(waiting_.front());
    waiting_.pop_front();
    return out;
}

std::vector<netlink::Descriptor> Listener::claimed(const std::vector<Key>& tokens,
                                                   const core::Ip& from,
                                                   const std::function<void()>& look) {
    constexpr milliseconds kLimit{5000};
    constexpr milliseconds kBetween{5};
    const auto end = std::chrono::steady_clock::now() + kLimit;
    Claims claims(tokens);
    while (!claims.are_all_there() && std::chrono::steady_clock::now() < end) {
        netlink::Descriptor socket = accept_one(socket_.number(), kBetween);
        if (socket.number() >= 0 && peer_address(socket.number()) == from && claims.have_room())
            claims.add(std::move(socket));
        else
            let_wait(std::move(socket));
        claims.look_at_all();
        look();
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

}  // namespace cli
