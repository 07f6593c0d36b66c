// SPDX-License-Identifier: Apache-2.0
// What goes over a connection that rdma_cm made.
#include "verbs/managed.hpp"

namespace verbs {

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

}  // namespace verbs
