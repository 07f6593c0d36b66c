// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rdma/rdma_cma.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/ip.hpp"
#include "verbs/library.hpp"
#include "verbs/wait.hpp"

namespace verbs {

/// What rdma_cm said where something else was awaited, as its own tools print it:
/// `RDMA_CM_EVENT_REJECTED, status 8`.
class CmFailure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One side of a connection that rdma_cm(7) makes, with a queue pair and a registered buffer of two
/// halves, as Endpoint has it. Its events are awaited, never blocked on. What fails is CmFailure
/// (rdma_cm), Incomplete (a request), core::Error (failed; the device), and what `wait` throws.
class Managed {
public:
    /// Throws core::Error (failed) where librdmacm or the kernel's rdma_cm is not there.
    Managed(std::uint8_t traffic_class, std::uint64_t room);
    Managed(const Managed&) = delete;
    Managed& operator=(const Managed&) = delete;
    ~Managed();

    /// The side that connects, in this order.
    void resolve_address(const core::Ip& own, const core::Ip& peer, std::uint16_t port, Wait& wait);
    void resolve_route(Wait& wait);
    void create_pair();
    void connect(std::uint64_t token, Wait& wait);

    /// The side that listens for the one who knows the token, and refuses others; the port is one
    /// that was free.
    std::uint16_t listen(const core::Ip& own, std::uint64_t token);
    /// A receive is posted before the other side knows.
    void accept(Wait& wait);

    /// The RDMA device that rdma_cm chose.
    [[nodiscard]] std::string device() const;
    [[nodiscard]] std::span<std::uint8_t> outgoing() { return {buffer_.data(), room_}; }
    [[nodiscard]] std::span<std::uint8_t> incoming() { return {buffer_.data() + room_, room_}; }
    void post_receive();
    void send(Wait& wait);
    /// How many bytes came.
    std::uint64_t received(Wait& wait);

private:
    struct Event {
        rdma_cm_event_type type = RDMA_CM_EVENT_ADDR_RESOLVED;
        int status = 0;
        rdma_cm_id* id = nullptr;
    };
    /// A request to connect of somebody else is refused, and not told.
    bool is_foreign(const rdma_cm_event& event) const;
    Event next(Wait& wait);
    void expect(rdma_cm_event_type wanted, Wait& wait);
    void set_type_of_service(rdma_cm_id* id) const;
    [[nodiscard]] core::Error refused(const std::string& what, int code) const;
    std::uint64_t complete(ibv_cq& queue, Wait& wait) const;
    void clear();

    template <typename Thing>
    using Owned = std::unique_ptr<Thing, int (*)(Thing*)>;

    const Manager& manager_;
    const Library& library_;
    std::uint8_t traffic_class_;
    std::size_t room_;
    std::uint64_t token_ = 0;
    std::vector<std::uint8_t> buffer_;
    rdma_event_channel* channel_ = nullptr;
    rdma_cm_id* listening_ = nullptr;
    rdma_cm_id* id_ = nullptr;
    Owned<ibv_pd> domain_;
    Owned<ibv_mr> region_;
    Owned<ibv_cq> send_queue_;
    Owned<ibv_cq> receive_queue_;
};

/// Whether the RDMA connection manager at the host answers a request to connect within the time, be
/// it with a rejection, which only a peer can send (rdma_cm(7)); else why not.
std::string peer_fails(const std::string& host, std::chrono::milliseconds limit);

}  // namespace verbs
