// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// What a counter counts, whatever its driver calls it. Those of a priority are so many by their
/// names.
enum class Meter : std::uint8_t {
    out_of_sequence,    ///< packets that came before one that was lost on the way here
    sequence_naks,      ///< what a peer answered to packets that came before a lost one
    ack_timeouts,       ///< packets that nobody acknowledged in time
    retries_exhausted,  ///< connections given up for that
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
    pause_frames,  ///< link-level pause frames received, which stop every priority
    storm_events,  ///< the device has paused its peer for so long that it took measures
    rx_discards,   ///< packets of the priority for which there was no buffer
    rx_pause,      ///< PFC frames received for the priority
    tx_pause,      ///< PFC frames sent for the priority
    rx_pause_us,   ///< microseconds for which the priority was paused
    tx_pause_us,   ///< microseconds for which it paused its peer
    rx_bytes,      ///< of the priority
    tx_bytes,
    rx_packets,  ///< of the priority
    tx_packets,
    cnp_sent,     ///< notifications of congestion, for packets that came with its mark
    cnp_handled,  ///< notifications of congestion that slowed down the sender
};

/// One counter of a driver: which of its own names has the meaning.
struct CounterRow {
    std::string_view driver{};  ///< of the port, or the RDMA device's type; empty: of any
    Meter meter{};
    Object object{};          ///< statistics, rdma_counters or, without a name, pfc
    std::string_view name{};  ///< # stands for a priority
    unsigned bits = 64;       ///< after which it begins again at 0
};

/// Every row; core/drivers/counters.cpp names the kernel files.
std::span<const CounterRow> counter_rows();

/// After how many milliseconds the driver asks its device again, and shows the same till then; 0:
/// each time it is asked.
unsigned refresh_ms(std::string_view driver);

/// One counter of the port as it was read.
struct Count {
    const CounterRow* row = nullptr;
    std::string name{};
    std::uint64_t value = 0;
};

/// The counters with the meaning that the port has, of the priority where they are one's, in the
/// order of the table: a device may count some of it by one name, and the rest by another.
std::vector<Count> counts(const Port& port, Meter meter, unsigned priority);
/// The first of them.
std::optional<Count> count(const Port& port, Meter meter, unsigned priority);

/// Whether a counter of the object fell between two readings of a port that cannot have gone past
/// its width: one that has fewer than 64 bits can where it was in their upper half. All counters of
/// the object began anew then, as with a driver that is loaded again.
bool began_anew(const Port& before, const Port& now, Object object);

/// By how much a counter grew since an earlier value of it; by that at least where all began anew.
struct Grown {
    std::uint64_t by = 0;
    bool anew = false;
};
Grown grown_since(const Port& before, std::uint64_t earlier, const Port& now, const Count& count);

/// The value of the counter that `count` was read from, of this priority where it is one's, in
/// another reading of the same port; nothing where that has not got it.
std::optional<std::uint64_t> value_of(const Port& port, const Count& count, unsigned priority);

}  // namespace core
