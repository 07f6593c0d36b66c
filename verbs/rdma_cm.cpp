// SPDX-License-Identifier: Apache-2.0
#include "verbs/rdma_cm.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "verbs/library.hpp"
#include "verbs/socket.hpp"

namespace verbs {
namespace {

/// For the resolution of an address and of a route, as rping has it.
constexpr int kResolveMilliseconds = 2000;

const Manager& required_manager() {
    const Manager* loaded = manager();
    if (loaded == nullptr)
        throw core::Error(core::Status::failed,
                          "librdmacm is not installed; package librdmacm1 or rdma-core has it");
    return *loaded;
}

std::string words_of(int code) {
    return std::generic_category().message(code);
}

/// A call that failed at once, as its users print it.
CmFailure at_once(const char* call) {
    return CmFailure(std::string(call) + ": " + words_of(errno));
}

rdma_conn_param parameters(std::uint64_t* token) {
    rdma_conn_param out = {};
    out.private_data = token;
    out.private_data_len = token == nullptr ? 0 : sizeof *token;
    out.responder_resources = 1;
    out.initiator_depth = 1;
    out.retry_count = 7;
    out.rnr_retry_count = 7;
    return out;
}

}  // namespace

Managed::Managed(std::uint8_t traffic_class, std::uint64_t room)
    : manager_(required_manager()),
      library_(usable_library()),
      traffic_class_(traffic_class),
      room_(room),
      buffer_(2 * room),
      domain_(nullptr, library_.dealloc_pd),
      region_(nullptr, library_.dereg_mr),
      send_queue_(nullptr, library_.destroy_cq),
      receive_queue_(nullptr, library_.destroy_cq) {
    channel_ = manager_.create_channel();
    if (channel_ == nullptr) throw refused("rdma_create_event_channel failed", errno);
    ::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
    if (manager_.create_id(channel_, &id_, nullptr, RDMA_PS_TCP) != 0) {
        const int code = errno;
        manager_.destroy_channel(channel_);
        throw refused("rdma_create_id failed", code);
    }
}

Managed::~Managed() {
    clear();
    if (listening_ != nullptr) manager_.destroy_id(listening_);
    manager_.destroy_channel(channel_);
}

/// In the order that rdma_destroy_id(3) asks for.
void Managed::clear() {
    if (id_ == nullptr) return;
    if (id_->qp != nullptr) manager_.destroy_qp(id_);
    send_queue_.reset();
    receive_queue_.reset();
    region_.reset();
    domain_.reset();
    manager_.destroy_id(id_);
    id_ = nullptr;
}

core::Error Managed::refused(const std::string& what, int code) const {
    return {core::Status::failed, what + ": " + words_of(code) + " (" + std::to_string(code) + ")"};
}

void Managed::set_type_of_service(rdma_cm_id* id) const {
    std::uint8_t value = traffic_class_;
    if (manager_.set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &value, sizeof value) != 0)
        throw refused("rdma_cm: setting the type of service", errno);
}

Managed::Event Managed::next(Wait& wait) {
    constexpr int kMilliseconds = 2;
    for (;; wait.check()) {
        pollfd wanted = {.fd = channel_->fd, .events = POLLIN, .revents = 0};
        if (::poll(&wanted, 1, kMilliseconds) <= 0) continue;
        rdma_cm_event* event = nullptr;
        if (manager_.get_event(channel_, &event) != 0) {
            if (errno == EAGAIN || errno == EINTR) continue;
            throw at_once("rdma_get_cm_event");
        }
        const Event out{.type = event->event, .status = event->status, .id = event->id};
        const bool foreign = is_foreign(*event);
        // An event that nobody acknowledged keeps its id from being destroyed.
        manager_.ack_event(event);
        if (!foreign) return out;
        manager_.reject(out.id, nullptr, 0);
        manager_.destroy_id(out.id);
    }
}

bool Managed::is_foreign(const rdma_cm_event& event) const {
    if (event.event != RDMA_CM_EVENT_CONNECT_REQUEST) return false;
    const rdma_conn_param& with = event.param.conn;
    std::uint64_t said = 0;
    if (with.private_data == nullptr || with.private_data_len < sizeof said) return true;
    std::memcpy(&said, with.private_data, sizeof said);
    return id_ != nullptr || said != token_;
}

void Managed::expect(rdma_cm_event_type wanted, Wait& wait) {
    const Event event = next(wait);
    if (event.type == wanted) return;
    // Of a rejection the status is the reason that the other side gave (enum ib_cm_rej_reason),
    // else it is an errno, negative.
    throw CmFailure(std::string(manager_.event_name(event.type)) +
                    (event.type == RDMA_CM_EVENT_REJECTED ? ", status " : ", error ") +
                    std::to_string(event.status));
}

void Managed::resolve_address(const core::Ip& own, const core::Ip& peer, std::uint16_t port,
                              Wait& wait) {
    set_type_of_service(id_);
    SocketAddress from = socket_address(own, 0);
    SocketAddress to = socket_address(peer, port);
    if (manager_.resolve_addr(id_, from.get(), to.get(), kResolveMilliseconds) != 0)
        throw at_once("rdma_resolve_addr");
    expect(RDMA_CM_EVENT_ADDR_RESOLVED, wait);
}

void Managed::resolve_route(Wait& wait) {
    if (manager_.resolve_route(id_, kResolveMilliseconds) != 0) throw at_once("rdma_resolve_route");
    expect(RDMA_CM_EVENT_ROUTE_RESOLVED, wait);
}

void Managed::create_pair() {
    domain_.reset(library_.alloc_pd(id_->verbs));
    if (!domain_) throw refused("rdma_cm: making a protection domain", errno);
    region_.reset(
        library_.reg_mr(domain_.get(), buffer_.data(), buffer_.size(), IBV_ACCESS_LOCAL_WRITE));
    if (!region_) throw refused("rdma_cm: registering memory", errno);
    send_queue_.reset(library_.create_cq(id_->verbs, 2, nullptr, nullptr, 0));
    receive_queue_.reset(library_.create_cq(id_->verbs, 2, nullptr, nullptr, 0));
    if (!send_queue_ || !receive_queue_) throw refused("rdma_cm: making a completion queue", errno);
    ibv_qp_init_attr wanted{};
    wanted.send_cq = send_queue_.get();
    wanted.recv_cq = receive_queue_.get();
    wanted.qp_type = IBV_QPT_RC;
    wanted.cap = {.max_send_wr = 1,
                  .max_recv_wr = 1,
                  .max_send_sge = 1,
                  .max_recv_sge = 1,
                  .max_inline_data = 0};
    if (manager_.create_qp(id_, domain_.get(), &wanted) != 0) throw at_once("rdma_create_qp");
}

void Managed::connect(std::uint64_t token, Wait& wait) {
    rdma_conn_param with = parameters(&token);
    if (manager_.connect(id_, &with) != 0) throw at_once("rdma_connect");
    try {
        expect(RDMA_CM_EVENT_ESTABLISHED, wait);
    } catch (const TimeOver&) {
        // The kernel itself goes on for more than a minute before it says UNREACHABLE
        // (drivers/infiniband/core/cma.c CMA_CM_RESPONSE_TIMEOUT, CMA_MAX_CM_RETRIES).
        throw CmFailure("rdma_connect: Connection timed out");
    }
}

std::uint16_t Managed::listen(const core::Ip& own, std::uint64_t token) {
    token_ = token;
    listening_ = std::exchange(id_, nullptr);
    SocketAddress at = socket_address(own, 0);
    if (manager_.bind_addr(listening_, at.get()) != 0) throw at_once("rdma_bind_addr");
    if (manager_.listen(listening_, 1) != 0) throw at_once("rdma_listen");
    return ntohs(manager_.source_port(listening_));
}

void Managed::accept(Wait& wait) {
    Event event = next(wait);
    while (event.type != RDMA_CM_EVENT_CONNECT_REQUEST)
        event = next(wait);
    id_ = event.id;
    set_type_of_service(id_);
    create_pair();
    post_receive();
    rdma_conn_param with = parameters(nullptr);
    if (manager_.accept(id_, &with) != 0) throw at_once("rdma_accept");
    expect(RDMA_CM_EVENT_ESTABLISHED, wait);
}

std::string Managed::device() const {
    return id_ == nullptr || id_->verbs == nullptr ? std::string()
                                                   : library_.device_name(id_->verbs->device);
}

// What goes over a connection that rdma_cm made.

void Managed::post_receive() {
    ibv_sge piece = {.addr = reinterpret_cast<std::uintptr_t>(buffer_.data() + room_),
                     .length = static_cast<std::uint32_t>(room_),
                     .lkey = region_->lkey};
    ibv_recv_wr wanted{};
    wanted.sg_list = &piece;
    wanted.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    if (const int no = ibv_post_recv(id_->qp, &wanted, &bad); no != 0)
        throw refused("rdma_cm: posting a receive", no);
}

void Managed::send(Wait& wait) {
    ibv_sge piece = {.addr = reinterpret_cast<std::uintptr_t>(buffer_.data()),
                     .length = static_cast<std::uint32_t>(room_),
                     .lkey = region_->lkey};
    ibv_send_wr wanted{};
    wanted.opcode = IBV_WR_SEND;
    wanted.sg_list = &piece;
    wanted.num_sge = 1;
    wanted.send_flags = IBV_SEND_SIGNALED;
    ibv_send_wr* bad = nullptr;
    if (const int no = ibv_post_send(id_->qp, &wanted, &bad); no != 0)
        throw refused("rdma_cm: posting a request", no);
    complete(*send_queue_, wait);
}

std::uint64_t Managed::received(Wait& wait) {
    return complete(*receive_queue_, wait);
}

std::uint64_t Managed::complete(ibv_cq& queue, Wait& wait) const {
    ibv_wc out{};
    for (;; wait.turn()) {
        const int found = ibv_poll_cq(&queue, 1, &out);
        if (found < 0) throw refused("rdma_cm: polling a completion queue", -found);
        if (found > 0) break;
    }
    if (out.status != IBV_WC_SUCCESS)
        throw Incomplete(library_.wc_status_text(out.status), out.status, out.vendor_err);
    return out.byte_len;
}

namespace {

using Clock = std::chrono::steady_clock;

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
    if (called != 0) return std::string(what) + ": " + words_of(errno);
    const auto event = attempt.next();
    if (!event) return std::string(what) + ": no answer in time";
    return *event == wanted ? std::string() : std::string(what) + ": failed";
}

std::string connect_fails(const Manager& manager, Attempt& attempt, sockaddr* peer) {
    std::string why =
        step_fails(attempt, "address",
                   manager.resolve_addr(attempt.id(), nullptr, peer, attempt.milliseconds_left()),
                   RDMA_CM_EVENT_ADDR_RESOLVED);
    if (!why.empty()) return why;
    why = step_fails(attempt, "route",
                     manager.resolve_route(attempt.id(), attempt.milliseconds_left()),
                     RDMA_CM_EVENT_ROUTE_RESOLVED);
    if (!why.empty()) return why;
    rdma_conn_param parameters = {};
    parameters.qp_num = 1;  // of a queue pair that nobody will use
    if (manager.connect(attempt.id(), &parameters) != 0) return "connect: " + words_of(errno);
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
    // Any port will do: where nobody listens, the peer says so, which is an answer.
    SocketAddress peer;
    try {
        peer = addresses_of(host).front();
    } catch (const core::Error& error) {
        return error.what();
    }
    Attempt attempt(*loaded, Clock::now() + limit);
    if (attempt.id() == nullptr) return "no RDMA connection manager here: " + words_of(errno);
    return connect_fails(*loaded, attempt, peer.get());
}

}  // namespace verbs
