// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/views/formatted.hpp"
#include "cli/views/probe.hpp"

// What was measured on one path, as tables: a row a trial.

namespace cli {
namespace {

using core::probe::PathReport;
using core::probe::Trial;

/// How the times are spread, from the 0.1th to the 99.9th percentile: shares of the fullest piece.
std::string spread_text(const core::probe::Histogram& times) {
    constexpr unsigned kPieces = 32;
    constexpr std::array<std::string_view, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const auto pieces = core::probe::pieces_of(times, kPieces);
    std::uint64_t most = 1;
    for (const auto& piece : pieces)
        most = std::max(most, piece.count);
    std::string out;
    for (const auto& piece : pieces) {
        if (piece.count == 0) {
            out += ' ';
            continue;
        }
        const std::uint64_t height = (piece.count * kBlocks.size() + most - 1) / most;
        out += kBlocks[std::min<std::uint64_t>(height, kBlocks.size()) - 1];
    }
    return out;
}

/// The operation, and of an RPC which way its data goes.
std::string operation_text(const Trial& trial) {
    std::string out(core::probe::name_of(trial.operation));
    return trial.data.empty() ? out : out + ' ' + trial.data;
}

std::string percent(double share) {
    return formatted("%.0f%%", share * 100);
}

std::string latency_text(const PathReport& report) {
    std::vector<Row> rows{{"LATENCY us", "BYTES", "MIN", "P50", "P90", "P99", "P99.9", "MAX",
                           "MEAN", "DEVIATION", "CPU", "PEER CPU"}};
    std::vector<Row> spreads;
    for (const Trial& trial : report.trials) {
        if (!trial.latency) continue;
        const core::probe::Histogram& times = trial.latency->times;
        rows.push_back({std::string(core::probe::name_of(trial.operation)),
                        std::to_string(trial.size), microseconds(times.min()),
                        microseconds(times.percentile(50)), microseconds(times.percentile(90)),
                        microseconds(times.percentile(99)), microseconds(times.percentile(99.9)),
                        microseconds(times.max()), microseconds(times.mean()),
                        microseconds(times.deviation()), percent(trial.processor.here),
                        percent(trial.processor.peer)});
        spreads.push_back({std::string(core::probe::name_of(trial.operation)),
                           microseconds(times.percentile(0.1)), spread_text(times),
                           microseconds(times.percentile(99.9))});
    }
    return rows.size() == 1 ? std::string() : '\n' + table(rows) + '\n' + table(spreads);
}

std::string bandwidth_text(const PathReport& report) {
    std::vector<Row> rows{{"BANDWIDTH Gb/s", "DIRECTION", "BYTES", "QUEUE PAIRS", "DEPTH",
                           "PAYLOAD", "WIRE", "M MESSAGES/s", "CPU", "PEER CPU"}};
    for (const Trial& trial : report.trials) {
        if (!trial.bandwidth) continue;
        const double share =
            static_cast<double>(trial.wire_bytes) / static_cast<double>(trial.size);
        rows.push_back(
            {std::string(core::probe::name_of(trial.operation)),
             std::string(core::probe::name_of(trial.direction)), std::to_string(trial.size),
             std::to_string(trial.queue_pairs),
             trial.depth == 0 ? "-" : std::to_string(trial.depth),
             formatted("%.3f", trial.total_gigabits()),
             trial.wire_bytes == 0 ? "-" : formatted("%.3f", trial.total_gigabits() * share),
             formatted("%.4f", trial.bandwidth->million_messages() +
                                   (trial.back ? trial.back->million_messages() : 0)),
             percent(trial.processor.here), percent(trial.processor.peer)});
    }
    return rows.size() == 1 ? std::string()
                            : '\n' + table(rows) + core::probe::direction_words(report.trials);
}

/// Whether one thing was measured in two ways.
bool is_alike(const Trial& one, const Trial& other) {
    return one.direction == other.direction && one.operation == other.operation &&
           one.data == other.data && one.latency.has_value() == other.latency.has_value();
}

/// Whether there is more to compare than operations: then all is one table, a row a combination.
bool is_sweep(const PathReport& report) {
    for (std::size_t i = 0; i < report.trials.size(); ++i) {
        const Trial& one = report.trials[i];
        if (one.latency && one.bandwidth) return true;
        for (std::size_t j = 0; j < i; ++j)
            if (is_alike(one, report.trials[j])) return true;
    }
    return false;
}

std::string sweep_text(const PathReport& report) {
    std::vector<Row> rows{{"OPERATION", "DIRECTION", "BYTES", "DEPTH", "QUEUE PAIRS", "COMPLETION",
                           "P50 us", "P99 us", "MAX us", "MEAN us", "MESSAGES/s", "Gb/s", "CPU",
                           "PEER CPU"}};
    for (const Trial& trial : report.trials) {
        Row row{operation_text(trial),
                trial.bandwidth && trial.data.empty()
                    ? std::string(core::probe::name_of(trial.direction))
                    : "-",
                std::to_string(trial.size),
                trial.depth == 0 ? "-" : std::to_string(trial.depth),
                std::to_string(trial.queue_pairs),
                trial.completion};
        for (const double percentile : {50.0, 99.0, 100.0})
            row.push_back(trial.latency ? microseconds(trial.latency->times.percentile(percentile))
                                        : "-");
        row.push_back(trial.latency ? microseconds(trial.latency->times.mean()) : "-");
        row.push_back(trial.bandwidth ? formatted("%.0f", trial.bandwidth->million_messages() * 1e6)
                                      : "-");
        row.push_back(trial.bandwidth ? formatted("%.3f", trial.total_gigabits()) : "-");
        row.push_back(percent(trial.processor.here));
        row.push_back(percent(trial.processor.peer));
        rows.push_back(std::move(row));
    }
    return '\n' + table(rows);
}

}  // namespace

std::string trials_text(const PathReport& report) {
    return is_sweep(report) ? sweep_text(report) : latency_text(report) + bandwidth_text(report);
}

}  // namespace cli
