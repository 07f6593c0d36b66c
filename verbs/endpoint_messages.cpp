// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <poll.h>

#include "core/error.hpp"
#include "verbs/endpoint.hpp"

// What a connected endpoint posts, and how it learns that it is complete.

namespace verbs {

void Endpoint::post(const Request& request, unsigned pair) {
    const bool atomic =
        request.code == IBV_WR_ATOMIC_FETCH_AND_ADD || request.code == IBV_WR_ATOMIC_CMP_AND_SWP;
    // What is read or was there before comes into the half that the peer does not send to.
    ibv_sge piece = {.addr = reinterpret_cast<std::uintptr_t>(buffer_.get() + request.at),
                     .length = static_cast<std::uint32_t>(atomic ? 8 : request.size),
                     .lkey = region_->lkey};
    ibv_send_wr wanted{};
    wanted.wr_id = std::uint64_t{request.completes} << 32U | pair;
    wanted.opcode = request.code;
    wanted.sg_list = &piece;
    wanted.num_sge = 1;
    wanted.send_flags = request.signaled ? static_cast<unsigned>(IBV_SEND_SIGNALED) : 0U;
    const bool fetches = atomic || request.code == IBV_WR_RDMA_READ;
    if (!fetches && request.size <= inline_size_)
        wanted.send_flags |= static_cast<unsigned>(IBV_SEND_INLINE);
    wanted.imm_data = htonl(request.immediate);
    if (atomic) {
        wanted.wr.atomic.remote_addr = peer_.buffer;
        wanted.wr.atomic.rkey = peer_.key;
        wanted.wr.atomic.compare_add = request.compare;
        wanted.wr.atomic.swap = request.swap;
    } else {
        wanted.wr.rdma.remote_addr =
            (request.code == IBV_WR_RDMA_READ ? peer_.buffer : peer_.buffer + half_) + request.to;
        wanted.wr.rdma.rkey = peer_.key;
    }
    ibv_send_wr* bad = nullptr;
    if (const int no = ibv_post_send(pairs_[pair].get(), &wanted, &bad); no != 0)
        throw refused("posting a request", no);
}

void Endpoint::post_receive(std::uint64_t size, unsigned pair, std::uint64_t at) {
    ibv_sge piece = {.addr = reinterpret_cast<std::uintptr_t>(buffer_.get() + half_ + at),
                     .length = static_cast<std::uint32_t>(size),
                     .lkey = region_->lkey};
    ibv_recv_wr wanted{};
    wanted.wr_id = pair;
    wanted.sg_list = &piece;
    wanted.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    if (const int no = ibv_post_recv(pairs_[pair].get(), &wanted, &bad); no != 0)
        throw refused("posting a receive", no);
}

bool Endpoint::poll(ibv_cq& queue, ibv_wc& completion) const {
    const int found = ibv_poll_cq(&queue, 1, &completion);
    if (found < 0) throw refused("polling a completion queue", -found);
    if (found == 0) return false;
    if (completion.status != IBV_WC_SUCCESS)
        throw Incomplete(library_.wc_status_text(completion.status), completion.status,
                         completion.vendor_err);
    return true;
}

namespace {

/// About what a wake-up costs: who waits for longer gives the processor away.
constexpr unsigned kTurnsAwake = 20'000;

}  // namespace

ibv_wc Endpoint::next(ibv_cq& queue, Wait& wait) const {
    ibv_wc out{};
    for (unsigned turn = 0; !poll(queue, out); ++turn) {
        wait.turn();
        const bool sleeps = completion_ == Completion::event ||
                            (completion_ == Completion::adaptive && turn >= kTurnsAwake);
        if (sleeps && poll_or_sleep(queue, out, wait)) return out;
    }
    return out;
}

void Endpoint::ask_for_event(ibv_cq& queue) const {
    if (const int no = ibv_req_notify_cq(&queue, 0); no != 0)
        throw refused("asking for a completion event", no);
}

void Endpoint::rest(Wakes by, unsigned turns, Wait& wait) {
    wait.turn();
    const bool sleeps = completion_ == Completion::event ||
                        (completion_ == Completion::adaptive && turns >= kTurnsAwake);
    if (!sleeps) return;
    // What came before events were asked for makes none (ibv_req_notify_cq(3)): it is looked for
    // once more before this sleeps.
    const bool asks_sent = by.sent && !asked_.sent;
    const bool asks_received = by.received && !asked_.received;
    if (asks_sent) ask_for_event(*send_queue_);
    if (asks_received) ask_for_event(*receive_queue_);
    asked_.sent = asked_.sent || asks_sent;
    asked_.received = asked_.received || asks_received;
    if (asks_sent || asks_received) return;
    pollfd wanted = {.fd = channel_->fd, .events = POLLIN, .revents = 0};
    constexpr int kMilliseconds = 5;
    ::poll(&wanted, 1, kMilliseconds);
    ibv_cq* which = nullptr;
    void* context = nullptr;
    while (library_.get_cq_event(channel_.get(), &which, &context) == 0)
        library_.ack_cq_events(which, 1);
    asked_ = {};
    wait.check();
}

bool Endpoint::poll_or_sleep(ibv_cq& queue, ibv_wc& completion, Wait& wait) const {
    ask_for_event(queue);
    // What came before events were asked for makes none (ibv_req_notify_cq(3)).
    if (poll(queue, completion)) return true;
    pollfd wanted = {.fd = channel_->fd, .events = POLLIN, .revents = 0};
    constexpr int kMilliseconds = 5;
    if (::poll(&wanted, 1, kMilliseconds) > 0) {
        ibv_cq* which = nullptr;
        void* context = nullptr;
        if (library_.get_cq_event(channel_.get(), &which, &context) == 0)
            library_.ack_cq_events(which, 1);
    }
    wait.check();
    return false;
}

}  // namespace verbs
