// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/counters.hpp"

#include <algorithm>
#include <array>

#include "core/model/driver.hpp"

namespace core {
namespace {

using enum Meter;
constexpr Object kRdma = Object::rdma_counters;
constexpr Object kPort = Object::statistics;
constexpr unsigned kWord = 32;

/// mlx5: drivers/infiniband/hw/mlx5/counters.c (queue counters have 32 bits,
/// mlx5_ib_query_q_counters), drivers/net/ethernet/mellanox/mlx5/core/en_stats.c.
/// bnxt: drivers/infiniband/hw/bnxt_re/hw_counters.c, drivers/net/ethernet/broadcom/bnxt/
/// bnxt_ethtool.c. irdma: drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_names, drivers/net/
/// ethernet/intel/ice/ice_ethtool.c. rxe: drivers/infiniband/sw/rxe/rxe_hw_counters.c. Those of any
/// driver: net/ethtool/stats.c, fec.c and pause.c.
constexpr std::array kRows = {
    CounterRow{"mlx5_core", out_of_sequence, kRdma, "out_of_sequence", kWord},
    CounterRow{"bnxt_en", out_of_sequence, kRdma, "oos_drop_count"},
    CounterRow{"rxe", out_of_sequence, kRdma, "out_of_seq_request"},
    CounterRow{"mlx5_core", sequence_naks, kRdma, "packet_seq_err", kWord},
    CounterRow{"bnxt_en", sequence_naks, kRdma, "seq_err_naks_rcvd"},
    CounterRow{"rxe", sequence_naks, kRdma, "rcvd_seq_err"},
    CounterRow{"mlx5_core", ack_timeouts, kRdma, "local_ack_timeout_err", kWord},
    CounterRow{"bnxt_en", ack_timeouts, kRdma, "to_retransmits"},
    CounterRow{"rxe", ack_timeouts, kRdma, "completer_retry_err"},
    CounterRow{"mlx5_core", retries_exhausted, kRdma, "req_transport_retries_exceeded", kWord},
    CounterRow{"bnxt_en", retries_exhausted, kRdma, "max_retry_exceeded"},
    CounterRow{"rxe", retries_exhausted, kRdma, "retry_exceeded_err"},
    CounterRow{"mlx5_core", rnr_received, kRdma, "rnr_nak_retry_err", kWord},
    CounterRow{"bnxt_en", rnr_received, kRdma, "rnr_naks_rcvd"},
    CounterRow{"rxe", rnr_received, kRdma, "rcvd_rnr_err"},
    CounterRow{"mlx5_core", no_receive, kRdma, "out_of_buffer", kWord},
    CounterRow{"bnxt_en", no_receive, kRdma, "rx_out_of_buffer"},
    CounterRow{"rxe", no_receive, kRdma, "send_rnr_err"},
    CounterRow{"mlx5_core", remote_access, kRdma, "req_remote_access_errors", kWord},
    CounterRow{"bnxt_en", remote_access, kRdma, "remote_access_err"},
    CounterRow{"mlx5_core", roce_packets, kPort, "rx_vport_rdma_unicast_packets"},
    CounterRow{"bnxt_en", roce_packets, kRdma, "rx_roce_good_pkts"},
    CounterRow{"rxe", roce_packets, kRdma, "rcvd_pkts"},
    CounterRow{"mlx5_core", roce_rx_bytes, kPort, "rx_vport_rdma_unicast_bytes"},
    CounterRow{"bnxt_en", roce_rx_bytes, kRdma, "rx_roce_good_bytes"},
    CounterRow{"mlx5_core", roce_tx_bytes, kPort, "tx_vport_rdma_unicast_bytes"},
    CounterRow{"mlx5_core", icrc_errors, kRdma, "rx_icrc_encapsulated"},
    CounterRow{"mlx5_core", ecn_marked, kRdma, "np_ecn_marked_roce_packets"},
    CounterRow{"ice", ecn_marked, kRdma, "RxECNMrkd"},
    CounterRow{"mlx5_core", cnp_ignored, kRdma, "rp_cnp_ignored"},
    CounterRow{"ice", cnp_ignored, kRdma, "cnpIgnored", kWord},
    CounterRow{"mlx5_core", crc_errors, kPort, "rx_crc_errors_phy"},
    CounterRow{"bnxt_en", crc_errors, kPort, "rx_fcs_err_frames"},
    CounterRow{"ice", crc_errors, kPort, "rx_crc_errors.nic"},
    CounterRow{"", crc_errors, kPort, "eth-mac-FrameCheckSequenceErrors"},
    CounterRow{"", symbol_errors, kPort, "eth-phy-SymbolErrorDuringCarrier"},
    CounterRow{"", fec_uncorrectable, kPort, "fec_uncorrectable_blocks"},
    CounterRow{"", pause_frames, kPort, "rx_pause_frames"},
    CounterRow{"mlx5_core", storm_events, kPort, "tx_pause_storm_error_events"},
    CounterRow{"mlx5_core", rx_discards, kPort, "rx_prio#_discards"},
    CounterRow{"mlx5_core", rx_discards, kPort, "rx_prio#_buf_discard"},
    CounterRow{"bnxt_en", rx_discards, kRdma, "rx_roce_discards"},
    CounterRow{"ice", rx_discards, kRdma, "ip4InDiscards", kWord},
    CounterRow{"mlx5_core", rx_pause, kPort, "rx_prio#_pause"},
    CounterRow{"bnxt_en", rx_pause, kPort, "rx_pfc_ena_frames_pri#"},
    CounterRow{"ice", rx_pause, kPort, "rx_priority_#_xoff.nic"},
    CounterRow{"", rx_pause, Object::pfc, ""},
    CounterRow{"mlx5_core", tx_pause, kPort, "tx_prio#_pause"},
    CounterRow{"bnxt_en", tx_pause, kPort, "tx_pfc_ena_frames_pri#"},
    CounterRow{"ice", tx_pause, kPort, "tx_priority_#_xoff.nic"},
    CounterRow{"", tx_pause, Object::pfc, ""},
    CounterRow{"mlx5_core", rx_pause_us, kPort, "rx_prio#_pause_duration"},
    CounterRow{"bnxt_en", rx_pause_us, kPort, "pfc_pri#_rx_duration_us"},
    CounterRow{"mlx5_core", tx_pause_us, kPort, "tx_prio#_pause_duration"},
    CounterRow{"bnxt_en", tx_pause_us, kPort, "pfc_pri#_tx_duration_us"},
    CounterRow{"mlx5_core", rx_bytes, kPort, "rx_prio#_bytes"},
    CounterRow{"bnxt_en", rx_bytes, kPort, "rx_bytes_pri#"},
    CounterRow{"mlx5_core", tx_bytes, kPort, "tx_prio#_bytes"},
    CounterRow{"bnxt_en", tx_bytes, kPort, "tx_bytes_pri#"},
    CounterRow{"mlx5_core", rx_packets, kPort, "rx_prio#_packets"},
    CounterRow{"bnxt_en", rx_packets, kPort, "rx_packets_pri#"},
    CounterRow{"mlx5_core", tx_packets, kPort, "tx_prio#_packets"},
    CounterRow{"bnxt_en", tx_packets, kPort, "tx_packets_pri#"},
    CounterRow{"mlx5_core", cnp_sent, kRdma, "np_cnp_sent"},
    CounterRow{"bnxt_en", cnp_sent, kRdma, "tx_cnp_pkts"},
    CounterRow{"ice", cnp_sent, kRdma, "cnpSent"},
    CounterRow{"mlx5_core", cnp_handled, kRdma, "rp_cnp_handled"},
    CounterRow{"bnxt_en", cnp_handled, kRdma, "rx_cnp_pkts"},
    CounterRow{"ice", cnp_handled, kRdma, "cnpHandled"},
};

/// A bond has the RDMA device of its members' driver, whichever that is: their names of counters
/// have no name in common.
bool is_of(const CounterRow& row, const Port& port) {
    const bool of_members = row.object == kRdma && port.link && port.link->kind == "bond";
    return row.driver.empty() || of_members || (port.device && port.device->driver == row.driver) ||
           (port.rdma_link && port.rdma_link->type == row.driver);
}

std::string name_of(const CounterRow& row, unsigned priority) {
    if (row.object == Object::pfc)
        return row.meter == rx_pause ? "pfc.indications" : "pfc.requests";
    std::string name(row.name);
    if (const std::size_t at = name.find('#'); at != std::string::npos)
        name.replace(at, 1, std::to_string(priority));
    return name;
}

std::optional<std::uint64_t> value_in(const Port& port, const CounterRow& row,
                                      const std::string& name, unsigned priority) {
    if (row.object == Object::pfc) {
        if (!port.pfc) return std::nullopt;
        return (row.meter == rx_pause ? port.pfc->indications : port.pfc->requests).at(priority);
    }
    const auto& held = row.object == kRdma ? port.rdma_counters : port.statistics;
    if (!held) return std::nullopt;
    const auto found = held->find(name);
    return found == held->end() ? std::nullopt : std::optional(found->second);
}

constexpr unsigned kWidest = 64;

bool in_upper_half(std::uint64_t value, unsigned bits) {
    return bits < kWidest && value >> bits == 0 && value >> (bits - 1) != 0;
}

unsigned names_of(const CounterRow& row) {
    return row.object == Object::pfc || row.name.find('#') != std::string_view::npos ? kPriorities
                                                                                     : 1;
}

}  // namespace

std::span<const CounterRow> counter_rows() {
    return kRows;
}

unsigned refresh_ms(std::string_view driver) {
    return driver_named(driver).statistics.refresh_ms;
}

std::vector<Count> counts(const Port& port, Meter meter, unsigned priority) {
    std::vector<Count> out;
    for (const CounterRow& row : kRows) {
        if (row.meter != meter || !is_of(row, port)) continue;
        std::string name = name_of(row, priority);
        if (const auto value = value_in(port, row, name, priority))
            out.push_back({.row = &row, .name = std::move(name), .value = *value});
    }
    return out;
}

std::optional<Count> count(const Port& port, Meter meter, unsigned priority) {
    std::vector<Count> all = counts(port, meter, priority);
    return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

std::optional<std::uint64_t> value_of(const Port& port, const Count& count, unsigned priority) {
    return value_in(port, *count.row, count.name, priority);
}

bool began_anew(const Port& before, const Port& now, Object object) {
    for (const CounterRow& row : kRows) {
        if (row.object != object || !is_of(row, now)) continue;
        for (unsigned priority = 0; priority < names_of(row); ++priority) {
            const std::string name = name_of(row, priority);
            const auto then = value_in(before, row, name, priority);
            const auto value = value_in(now, row, name, priority);
            if (then && value && *value < *then && !in_upper_half(*then, row.bits)) return true;
        }
    }
    return false;
}

Grown grown_since(const Port& before, std::uint64_t earlier, const Port& now, const Count& count) {
    if (began_anew(before, now, count.row->object)) return {.by = count.value, .anew = true};
    const bool wrapped = count.value < earlier;
    return {.by = count.value - earlier +
                  (wrapped ? std::uint64_t{1} << count.row->bits : std::uint64_t{0})};
}

}  // namespace core
