// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "verbs/library.hpp"
#include "verbs/transport.hpp"

namespace verbs {

/// What one side must know of the other to connect.
struct EndpointAddress {
    struct Number {
        std::uint32_t queue_pair = 0;  ///< 24 bits
        std::uint32_t sequence = 0;    ///< of the first packet, 24 bits
    };
    std::array<std::uint8_t, 16> gid{};
    std::uint32_t mtu = 0;  ///< the active RDMA MTU in bytes
    std::uint64_t buffer = 0;
    std::uint32_t key = 0;   ///< of the buffer, for the peer's reads and writes
    std::uint8_t reads = 1;  ///< of the peer and atomics that a queue pair answers at one time
    std::vector<Number> numbers{};
};

struct EndpointOptions {
    std::string device{};
    std::uint32_t gid_index = 0;
    std::array<std::uint8_t, 16> gid{};
    unsigned queue_pairs = 1;
    unsigned depth = 1;      ///< requests of a queue pair that are under way at one time
    std::uint64_t room = 0;  ///< bytes of one message, at most
    Completion completion = Completion::poll;
};

/// Reliable connected queue pairs over one device, with a registered buffer of two halves: what is
/// sent lies in the first, what the peer sends comes into the second. All is given back at the end,
/// in the order that verbs asks for.
class Endpoint final : public Transport {
public:
    /// Throws core::Error (failed) that names the device and what it refused.
    explicit Endpoint(const EndpointOptions& options);

    [[nodiscard]] EndpointAddress address() const;
    /// How what is sent goes.
    struct Marking {
        std::uint8_t traffic_class = 0;  ///< the byte of IPv4's ToS
        bool spread = false;             ///< a flow label of its own for each queue pair
    };
    /// Brings all queue pairs to where they send (ibv_modify_qp(3)). Throws core::Error (failed)
    /// with what the kernel says: 110 is a peer whose address no neighbour answers for.
    void connect(const EndpointAddress& peer, const Marking& marking);

    [[nodiscard]] std::span<std::uint8_t> outgoing() override { return {buffer_.get(), half_}; }
    [[nodiscard]] std::span<std::uint8_t> incoming() override {
        return {buffer_.get() + half_, half_};
    }
    [[nodiscard]] unsigned queue_pairs() const override {
        return static_cast<unsigned>(pairs_.size());
    }
    [[nodiscard]] bool is_one_sided() const override { return true; }
    /// Those that the device has ended: in the error state, or with a send queue that is
    /// (ibv_query_qp(3)).
    [[nodiscard]] unsigned failed_pairs() const;
    [[nodiscard]] std::uint32_t mtu() const { return mtu_; }  ///< of the path, in bytes
    /// Whether the device does atomic operations (ibv_query_device(3)).
    [[nodiscard]] bool has_atomics() const { return atomics_; }

    void post(const Request& request, unsigned pair = 0) override;
    void post_receive(std::uint64_t size, unsigned pair = 0, std::uint64_t at = 0) override;
    bool has_sent(ibv_wc& completion) override { return poll(*send_queue_, completion); }
    bool has_received(ibv_wc& completion) override { return poll(*receive_queue_, completion); }
    void rest(Wakes by, unsigned turns, Wait& wait) override;

private:
    [[nodiscard]] core::Error refused(const std::string& what, int code) const;
    void ask_for_event(ibv_cq& queue) const;
    void open(const EndpointOptions& options);
    void create_pair(unsigned depth);
    bool poll(ibv_cq& queue, ibv_wc& completion) const;

    template <typename Thing>
    using Owned = std::unique_ptr<Thing, int (*)(Thing*)>;

    std::string name_;
    const Library& library_;
    Completion completion_;
    std::uint32_t gid_index_;
    std::array<std::uint8_t, 16> gid_;
    std::size_t half_;
    std::uint32_t mtu_ = 0;
    bool atomics_ = false;
    std::uint8_t answered_reads_ = 1;
    std::uint8_t own_reads_ = 1;
    std::unique_ptr<std::uint8_t[]> buffer_;  // NOLINT(*-avoid-c-arrays): its size is not constant
    Context context_;
    Owned<ibv_comp_channel> channel_;
    Owned<ibv_pd> domain_;
    Owned<ibv_mr> region_;
    Owned<ibv_cq> send_queue_;
    Owned<ibv_cq> receive_queue_;
    std::vector<Owned<ibv_qp>> pairs_;
    std::vector<EndpointAddress::Number> numbers_;
    std::uint32_t inline_size_ = 0;
    EndpointAddress peer_;
    Wakes asked_{};  ///< events that `rest` asked for, and that may not have come
};

}  // namespace verbs
