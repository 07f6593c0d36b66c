// SPDX-License-Identifier: Apache-2.0
#include "verbs/endpoint.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/error.hpp"
#include "core/probe/flow.hpp"
#include "verbs/active_mtu.hpp"

namespace verbs {
namespace {

/// What perftest asks for; a device that has less says so, and is asked for none.
constexpr std::uint32_t kInline = 220;
/// Both halves begin where no cache line is shared.
constexpr std::size_t kAligned = 4096;

std::uint32_t random_number() {
    std::uint32_t out = 0;
    if (::getrandom(&out, sizeof out, 0) != sizeof out) out = 0;
    return out & 0xFFFFFF;
}

std::size_t rounded(std::uint64_t bytes) {
    return (std::max<std::size_t>(bytes, 8) + kAligned - 1) / kAligned * kAligned;
}

/// Of what a device says it can, as many as NICs have (mlx5: 16): soft RoCE offers 128, and its
/// kernel was seen to break under them where both sides send.
std::uint8_t reads_of(int most) {
    constexpr int kMostReads = 16;
    return static_cast<std::uint8_t>(std::clamp(most, 1, kMostReads));
}

ibv_mtu mtu_number(std::uint32_t bytes) {
    // IBV_MTU_256 is 1, and each step doubles (infiniband/verbs.h).
    return static_cast<ibv_mtu>(std::bit_width(bytes / 128) - 1);
}

}  // namespace

Endpoint::Endpoint(const EndpointOptions& options)
    : name_(options.device),
      library_(usable_library()),
      completion_(options.completion),
      gid_index_(options.gid_index),
      gid_(options.gid),
      half_(rounded(options.room)),
      buffer_(static_cast<std::uint8_t*>(::operator new[](2 * half_))),
      context_(open_device(library_, options.device)),
      channel_(nullptr, library_.destroy_comp_channel),
      domain_(nullptr, library_.dealloc_pd),
      region_(nullptr, library_.dereg_mr),
      send_queue_(nullptr, library_.destroy_cq),
      receive_queue_(nullptr, library_.destroy_cq) {
    if (!context_) throw refused("opening the RDMA device", errno == 0 ? ENODEV : errno);
    open(options);
    for (unsigned i = 0; i < options.queue_pairs; ++i)
        create_pair(options.depth);
}

core::Error Endpoint::refused(const std::string& what, int code) const {
    return {core::Status::failed, name_ + ": " + std::generic_category().message(code) + " (" +
                                      std::to_string(code) + ") while " + what};
}

void Endpoint::open(const EndpointOptions& options) {
    ibv_port_attr port{};
    if (const int no = library_.query_port(context_.get(), kPort, &port); no != 0)
        throw refused("asking for its port", no);
    mtu_ = mtu_bytes(port.active_mtu);
    ibv_device_attr device{};
    if (library_.query_device(context_.get(), &device) == 0) {
        atomics_ = device.atomic_cap != IBV_ATOMIC_NONE;
        answered_reads_ = reads_of(device.max_qp_rd_atom);
        own_reads_ = reads_of(device.max_qp_init_rd_atom);
    }
    std::memset(buffer_.get(), 0, 2 * half_);
    domain_.reset(library_.alloc_pd(context_.get()));
    if (!domain_) throw refused("making a protection domain", errno);
    region_.reset(library_.reg_mr(domain_.get(), buffer_.get(), 2 * half_,
                                  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
                                      IBV_ACCESS_REMOTE_WRITE |
                                      (atomics_ ? IBV_ACCESS_REMOTE_ATOMIC : 0)));
    if (!region_)
        throw refused("registering " + std::to_string(2 * half_) + " bytes of memory", errno);
    if (completion_ != Completion::poll) {
        channel_.reset(library_.create_comp_channel(context_.get()));
        if (!channel_) throw refused("making a channel of completion events", errno);
        ::fcntl(channel_->fd, F_SETFL, O_NONBLOCK);  // NOLINT(*-vararg)
    }
    const int entries = static_cast<int>(options.depth * options.queue_pairs) + 1;
    send_queue_.reset(library_.create_cq(context_.get(), entries, nullptr, channel_.get(), 0));
    receive_queue_.reset(library_.create_cq(context_.get(), entries, nullptr, channel_.get(), 0));
    if (!send_queue_ || !receive_queue_) throw refused("making a completion queue", errno);
}

void Endpoint::create_pair(unsigned depth) {
    ibv_qp_init_attr wanted{};
    wanted.send_cq = send_queue_.get();
    wanted.recv_cq = receive_queue_.get();
    wanted.qp_type = IBV_QPT_RC;
    wanted.cap = {.max_send_wr = depth,
                  .max_recv_wr = depth,
                  .max_send_sge = 1,
                  .max_recv_sge = 1,
                  .max_inline_data = kInline};
    ibv_qp* made = library_.create_qp(domain_.get(), &wanted);
    if (made == nullptr) {
        wanted.cap.max_inline_data = 0;
        made = library_.create_qp(domain_.get(), &wanted);
    }
    if (made == nullptr) throw refused("making a queue pair", errno);
    pairs_.emplace_back(made, library_.destroy_qp);
    inline_size_ = std::min(wanted.cap.max_inline_data, kInline);
    numbers_.push_back({.queue_pair = made->qp_num, .sequence = random_number()});
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_INIT;
    attributes.port_num = kPort;
    attributes.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
                                 IBV_ACCESS_REMOTE_WRITE |
                                 (atomics_ ? static_cast<unsigned>(IBV_ACCESS_REMOTE_ATOMIC) : 0U);
    if (const int no = library_.modify_qp(
            made, &attributes,
            IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
        no != 0)
        throw refused("initialising a queue pair", no);
}

EndpointAddress Endpoint::address() const {
    return {.gid = gid_,
            .mtu = mtu_,
            .buffer = reinterpret_cast<std::uintptr_t>(buffer_.get()),
            .key = region_->rkey,
            .reads = answered_reads_,
            .numbers = numbers_};
}

void Endpoint::connect(const EndpointAddress& peer, const Marking& marking) {
    peer_ = peer;
    mtu_ = std::min(mtu_, peer.mtu);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        ibv_qp_attr to{};
        to.qp_state = IBV_QPS_RTR;
        to.path_mtu = mtu_number(mtu_);
        to.dest_qp_num = peer.numbers.at(i).queue_pair;
        to.rq_psn = peer.numbers.at(i).sequence;
        to.max_dest_rd_atomic = answered_reads_;
        to.min_rnr_timer = 12;
        to.ah_attr.is_global = 1;
        to.ah_attr.port_num = kPort;
        std::ranges::copy(peer.gid, to.ah_attr.grh.dgid.raw);
        to.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(gid_index_);
        to.ah_attr.grh.hop_limit = 64;
        to.ah_attr.grh.traffic_class = marking.traffic_class;
        if (marking.spread)
            to.ah_attr.grh.flow_label = core::probe::flow_label(static_cast<unsigned>(i));
        if (const int no = library_.modify_qp(pairs_[i].get(), &to,
                                              IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                                  IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                                  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
            no != 0)
            throw refused("connecting a queue pair to the peer (to RTR)", no);
        ibv_qp_attr sends{};
        sends.qp_state = IBV_QPS_RTS;
        sends.timeout = 14;
        sends.retry_cnt = 7;
        sends.rnr_retry = 7;
        sends.sq_psn = numbers_[i].sequence;
        sends.max_rd_atomic = std::min(own_reads_, peer.reads);
        if (const int no =
                library_.modify_qp(pairs_[i].get(), &sends,
                                   IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
            no != 0)
            throw refused("letting a queue pair send (to RTS)", no);
    }
}

unsigned Endpoint::failed_pairs() const {
    return static_cast<unsigned>(std::ranges::count_if(pairs_, [this](const auto& pair) {
        ibv_qp_attr found{};
        ibv_qp_init_attr made{};
        return library_.query_qp(pair.get(), &found, IBV_QP_STATE, &made) == 0 &&
               (found.qp_state == IBV_QPS_ERR || found.qp_state == IBV_QPS_SQE);
    }));
}

// How a connected endpoint posts requests and learns of their completion.

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

}  // namespace verbs
