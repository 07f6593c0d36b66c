// SPDX-License-Identifier: Apache-2.0
#include "verbs/peer.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>

#include "verbs/library.hpp"

namespace verbs {
namespace {

using Clock = std::chrono::steady_clock;

std::string words(int code) {
    return std::generic_category().message(code);
}

/// One try to connect: its channel and id, and what the manager says of them.
class Attempt {
public:
    Attempt(const Manager& manager, Clock::time_point end)
        : manager_(manager), end_(end), channel_(manager.create_channel()) {
        if (channel_ == nullptr) return;
        ::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
        if (manager_.create_id(channel_, &id_, nullptr, RDMA_PS_TCP) != 0) id_ = nullptr;
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
        if (id_ != nullptr) manager_.destroy_id(id_);
        if (channel_ != nullptr) manager_.destroy_channel(channel_);
    }

    [[nodiscard]] rdma_cm_id* id() const { return id_; }
    [[nodiscard]] int milliseconds_left() const {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
        return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    /// The next event; nothing where the time is over.
    std::optional<rdma_cm_event_type> next() {
        struct pollfd wanted = {.fd = channel_->fd, .events = POLLIN, .revents = 0};
        if (::poll(&wanted, 1, milliseconds_left()) <= 0) return std::nullopt;
        rdma_cm_event* event = nullptr;
        if (manager_.get_event(channel_, &event) != 0) return std::nullopt;
        const rdma_cm_event_type type = event->event;
        manager_.ack_event(event);
        return type;
    }

private:
    const Manager& manager_;
    Clock::time_point end_;
    rdma_event_channel* channel_;
    rdma_cm_id* id_ = nullptr;
};

std::string step_fails(Attempt& attempt, const char* what, int called, rdma_cm_event_type wanted) {
    if (called != 0) return std::string(what) + ": " + words(errno);
    const auto event = attempt.next();
    if (!event) return std::string(what) + ": no answer in time";
    return *event == wanted ? std::string() : std::string(what) + ": failed";
}

/// Any port will do: where nobody listens, the peer says so, which is an answer.
constexpr std::uint16_t kProbePort = 4791;

std::string connect_fails(const Manager& manager, Attempt& attempt, const sockaddr* peer) {
    auto* address = const_cast<sockaddr*>(peer);  // read only; the library's type says otherwise
    std::string why = step_fails(
        attempt, "address",
        manager.resolve_addr(attempt.id(), nullptr, address, attempt.milliseconds_left()),
        RDMA_CM_EVENT_ADDR_RESOLVED);
    if (!why.empty()) return why;
    why = step_fails(attempt, "route",
                     manager.resolve_route(attempt.id(), attempt.milliseconds_left()),
                     RDMA_CM_EVENT_ROUTE_RESOLVED);
    if (!why.empty()) return why;
    rdma_conn_param parameters = {};
    parameters.qp_num = 1;  // of a queue pair that nobody will use
    if (manager.connect(attempt.id(), &parameters) != 0) return "connect: " + words(errno);
    const auto event = attempt.next();
    if (!event) return "connect: no answer in time";
    constexpr std::array answers = {RDMA_CM_EVENT_REJECTED, RDMA_CM_EVENT_CONNECT_RESPONSE,
                                    RDMA_CM_EVENT_ESTABLISHED};
    if (std::ranges::find(answers, *event) != answers.end()) return {};
    return "connect: nobody answers";
}

}  // namespace

std::string peer_fails(const std::string& host, std::chrono::milliseconds limit) {
    const Manager* loaded = manager();
    if (loaded == nullptr) return "librdmacm is not installed";
    addrinfo* found = nullptr;
    const int failed =
        ::getaddrinfo(host.c_str(), std::to_string(kProbePort).c_str(), nullptr, &found);
    if (failed != 0) return ::gai_strerror(failed);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
    Attempt attempt(*loaded, Clock::now() + limit);
    if (attempt.id() == nullptr) return "no RDMA connection manager here: " + words(errno);
    return connect_fails(*loaded, attempt, all->ai_addr);
}

}  // namespace verbs
