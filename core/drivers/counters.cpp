// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/counters.hpp"

#include <algorithm>
#include <array>

#include "core/model/driver.hpp"

namespace core {
namespace {

using enum Meter;

/// drivers/infiniband/sw/rxe/rxe_hw_counters.c.
constexpr std::array kOfRxe = {
    Counter{out_of_sequence, Object::rdma_counters, "out_of_seq_request"},
    Counter{sequence_naks, Object::rdma_counters, "rcvd_seq_err"},
    Counter{ack_timeouts, Object::rdma_counters, "completer_retry_err"},
    Counter{retries_exhausted, Object::rdma_counters, "retry_exceeded_err"},
    Counter{send_errors, Object::rdma_counters, "send_err"},
    Counter{rnr_received, Object::rdma_counters, "rcvd_rnr_err"},
    Counter{no_receive, Object::rdma_counters, "send_rnr_err"},
    Counter{roce_packets, Object::rdma_counters, "rcvd_pkts"},
    // since Linux 7.2
    Counter{roce_rx_bytes, Object::rdma_counters, "rcvd_bytes"},
    Counter{roce_tx_bytes, Object::rdma_counters, "sent_bytes"},
};
/// Those of any driver: net/ethtool/stats.c, fec.c and pause.c.
constexpr std::array kOfAny = {
    Counter{crc_errors, Object::statistics, "eth-mac-FrameCheckSequenceErrors"},
    Counter{symbol_errors, Object::statistics, "eth-phy-SymbolErrorDuringCarrier"},
    Counter{fec_uncorrectable, Object::statistics, "fec_uncorrectable_blocks"},
    Counter{pause_frames, Object::statistics, "rx_pause_frames"},
    // net/ethtool/pause.c, Linux 7.2 and 7.3: mlx5 gives the sum of its tx_pause_storm_error_events
    Counter{storm_events, Object::statistics, "tx_pause_storm_events"},
    Counter{rx_pause, Object::pfc, ""},
    Counter{tx_pause, Object::pfc, ""},
};

std::vector<CounterRow> rows() {
    std::vector<CounterRow> out;
    const auto add = [&](std::string_view driver, std::span<const Counter> counters) {
        for (const Counter& each : counters)
            out.push_back({each, driver});
    };
    for (const Driver* driver : drivers())
        add(driver->name, driver->counters);
    add("rxe", kOfRxe);
    add({}, kOfAny);
    std::ranges::stable_sort(out, {}, &CounterRow::meter);
    return out;
}

/// A bond has the RDMA device of its members' driver, whichever that is: their names of counters
/// have no name in common.
bool is_of(const CounterRow& row, const Driver& driver, const Port& port) {
    const bool of_members =
        row.object == Object::rdma_counters && port.link && port.link->kind == "bond";
    return row.driver.empty() || of_members || driver.name == row.driver ||
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
    const auto& held = row.object == Object::rdma_counters ? port.rdma_counters : port.statistics;
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
    static const std::vector<CounterRow> all = rows();
    return all;
}

unsigned refresh_ms(std::string_view driver) {
    return driver_named(driver).statistics.refresh_ms;
}

std::vector<Count> counts(const Port& port, Meter meter, unsigned priority) {
    std::vector<Count> out;
    const Driver& driver = driver_of(port);
    for (const CounterRow& row : counter_rows()) {
        if (row.meter != meter || !is_of(row, driver, port)) continue;
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

bool knows_counters(const Port& port, Meter meter) {
    if (driver_of(port).counters_known) return true;
    const bool soft = port.rdma_link && rdma_link::soft_driver(port.rdma_link->type) != nullptr;
    const auto is_of_soft = [&](const CounterRow& row) {
        return row.meter != meter || rdma_link::soft_driver(row.driver) != nullptr;
    };
    // A NIC's own device has nothing of what soft ones alone have.
    if (!soft && std::ranges::all_of(counter_rows(), is_of_soft)) return true;
    return soft && std::ranges::all_of(counter_rows(), [&](const CounterRow& row) {
               return row.meter != meter || row.object == Object::rdma_counters;
           });
}

bool is_named(const Port& port, Object object, std::string_view name) {
    const Driver& driver = driver_of(port);
    return std::ranges::any_of(counter_rows(), [&](const CounterRow& row) {
        if (row.object != object || !is_of(row, driver, port)) return false;
        for (unsigned priority = 0; priority < names_of(row); ++priority)
            if (name_of(row, priority) == name) return true;
        return false;
    });
}

bool began_anew(const Port& before, const Port& now, Object object) {
    const Driver& driver = driver_of(now);
    for (const CounterRow& row : counter_rows()) {
        if (row.object != object || !is_of(row, driver, now)) continue;
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
