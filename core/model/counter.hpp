// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "core/model/state.hpp"

namespace core {

/// What a counter counts, whatever its driver calls it. Those of a priority are so many by their
/// names.
enum class Meter : std::uint8_t {
    out_of_sequence,    ///< packets that came before one that was lost on the way here
    sequence_naks,      ///< what a peer answered to packets that came before a lost one
    ack_timeouts,       ///< packets that nobody acknowledged in time
    retries_exhausted,  ///< connections given up for that
    send_errors,        ///< packets of a soft device that the host itself did not send
    rnr_received,       ///< a peer had no receive request for what was sent
    no_receive,         ///< the same at this host
    remote_access,      ///< refused for its key, address or rights
    roce_packets,       ///< RDMA packets received
    roce_rx_bytes,
    roce_tx_bytes,
    icrc_errors,    ///< RDMA packets damaged although Ethernet's checksum was right
    ecn_marked,     ///< RDMA packets received with the mark of congestion
    cnp_ignored,    ///< notifications of congestion that did not slow down the sender
    crc_errors,     ///< frames damaged on the cable
    symbol_errors,  ///< what the decoder could not read, of which error correction may fix some
    fec_uncorrectable,
    pause_frames,   ///< link-level pause frames received, which stop every priority
    storm_events,   ///< the device has paused its peer for so long that it took measures
    bus_congested,  ///< times at which PCI Express took less than the device had for it
    rx_discards,    ///< packets of the priority for which there was no buffer
    rx_pause,       ///< PFC frames received for the priority
    tx_pause,       ///< PFC frames sent for the priority
    rx_pause_us,    ///< microseconds for which the priority was paused
    tx_pause_us,    ///< microseconds for which it paused its peer
    rx_bytes,       ///< of the priority
    tx_bytes,
    rx_packets,  ///< of the priority
    tx_packets,
    cnp_sent,     ///< notifications of congestion, for packets that came with its mark
    cnp_handled,  ///< notifications of congestion that slowed down the sender
};

/// Which of its own names of counters a driver has for a meaning.
struct Counter {
    Meter meter{};
    Object object{};          ///< statistics, rdma_counters or, without a name, pfc
    std::string_view name{};  ///< # stands for a priority
    unsigned bits = 64;       ///< after which it begins again at 0
};

}  // namespace core
