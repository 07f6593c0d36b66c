// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include <algorithm>
#include <array>

#include "cli/views/formatted.hpp"
#include "cli/views/printable.hpp"

namespace cli {
namespace {

using core::probe::ClassTrial;
using core::probe::Outcome;
using core::probe::PathCheck;
using core::probe::PathReport;
using core::probe::Trial;

// What was measured, as tables: a row a trial.

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

std::string latency_text(const PathReport& report, const Style& style) {
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
    return rows.size() == 1 ? std::string()
                            : '\n' + figures(rows, 2, style.width) + '\n' + table(spreads);
}

std::string bandwidth_text(const PathReport& report, const Style& style) {
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
    return rows.size() == 1
               ? std::string()
               : '\n' + figures(rows, 3, style.width) + core::probe::direction_words(report.trials);
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

std::string sweep_text(const PathReport& report, const Style& style) {
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
    return '\n' + figures(rows, 3, style.width);
}

/// Latencies, how they are spread, and bandwidths of one path; where more than operations were
/// compared, one table with a row for each combination.
std::string trials_text(const PathReport& report, const Style& style) {
    return is_sweep(report) ? sweep_text(report, style)
                            : latency_text(report, style) + bandwidth_text(report, style);
}

std::string end_text(const core::probe::End& end) {
    if (end.device.empty()) return on_one_line(end.address);
    return on_one_line(end.address + " (" + end.device + " on " + end.port + ", GID " +
                       std::to_string(end.gid_index) + ")");
}

std::string path_text(const PathReport& report) {
    std::string out;
    if (!report.here.address.empty()) out += "from " + end_text(report.here) + '\n';
    if (!report.peer.address.empty()) out += "to   " + end_text(report.peer) + '\n';
    if (report.completion.empty()) return out;  // nothing was sent
    out += "by   ";
    if (report.mtu != 0) out += "RDMA MTU " + std::to_string(report.mtu) + ", ";
    out += "traffic class " + std::to_string(report.traffic_class) + " (DSCP " +
           std::to_string(report.traffic_class >> 2U) + "), completion by " + report.completion;
    return out + '\n';
}

std::string checks_text(const PathReport& report, const Style& style) {
    std::vector<Row> rows;
    for (const PathCheck& check : report.checks) {
        std::string how;
        if (check.skipped)
            how = style.faint("skipped: " + check.why);
        else if (!check.why.empty())
            how = style.bad("fails: " + check.why);
        else
            how = style.good("works");
        std::string sizes;
        if (!check.sizes.empty())
            sizes = check.sizes.size() == 1 ? std::to_string(check.sizes.front()) + " bytes"
                                            : std::to_string(check.sizes.front()) + " to " +
                                                  std::to_string(check.sizes.back()) + " bytes";
        rows.push_back({check.name, sizes, how});
    }
    return table(rows, "", style.width);
}

std::string cm_text(const PathReport& report, const Style& style) {
    if (!report.cm) return {};
    const core::probe::CmReport& cm = *report.cm;
    std::vector<Row> rows{{"RDMA_CM", "MS"}};
    for (const core::probe::CmStep& step : cm.steps)
        rows.push_back({step.name, formatted("%.2f", static_cast<double>(step.nanoseconds) / 1e6)});
    std::string out = '\n' + table(rows);
    if (cm.failure.empty()) return out;
    out += "rdma_cm " + style.bad("fails") + ": " + on_one_line(cm.failure) + '\n';
    if (!cm.advice.empty()) out += on_one_line(cm.advice) + '\n';
    return out;
}

std::string mtu_text(const PathReport& report, const Style& style) {
    if (!report.path) return {};
    const core::probe::PathMtu& path = *report.path;
    std::vector<Row> rows{
        {"PACKET BYTES", "THIS PORT", "PEER'S PORT", "OUT", "BACK", "RDMA NEEDS"}};
    const auto known = [](std::uint32_t bytes) {
        return bytes == 0 ? std::string("?") : std::to_string(bytes);
    };
    rows.push_back({"pass", known(path.here), known(path.peer), known(path.out), known(path.back),
                    known(path.needed)});
    const std::string words =
        path.failure.empty() ? core::probe::words_of(path) : on_one_line(path.failure) + '\n';
    return '\n' + (path.failure.empty() ? table(rows) : std::string()) +
           (core::probe::carries_rdma(path) ? words : style.bad("path") + ": " + words);
}

std::string flows_text(const PathReport& report, const Style& style) {
    if (report.flows.empty()) return {};
    std::vector<Row> rows{{"UDP SOURCE PORT", "FLOW LABEL", "MIN us", "P50", "MAX", "SENT AGAIN"}};
    for (const core::probe::FlowPath& path : report.flows)
        rows.push_back({std::to_string(path.source_port), std::to_string(path.flow_label),
                        microseconds(path.times.min()), microseconds(path.times.percentile(50)),
                        microseconds(path.times.max()),
                        path.failure.empty() ? std::to_string(core::probe::sent_again(path))
                                             : style.bad("fails: " + path.failure)});
    const std::string words = core::probe::words_of(report.flows);
    return '\n' + table(rows, "", style.width) +
           (words.empty() ? "" : style.bad("paths") + ": " + words);
}

std::string travel_text(const core::probe::Travel& travel) {
    const auto number = [](std::optional<unsigned> priority) {
        return priority ? std::to_string(*priority) : std::string("?");
    };
    if (travel.sent_in == travel.received_in) return number(travel.sent_in);
    return number(travel.sent_in) + " → " + number(travel.received_in);
}

std::string notified_text(const ClassTrial& trial) {
    if (trial.like_notifications)
        return std::to_string(*trial.like_notifications) + " as long as CNPs in " +
               travel_text(trial.notified);
    if (!trial.notifications) return "not counted";
    if (*trial.notifications == 0) return "none";
    return std::to_string(*trial.notifications) + " in " + travel_text(trial.notified);
}

/// In which priority each kind of packet left one port and came to the other.
std::string classes_text(const PathReport& report, const Style& style) {
    if (report.classes.empty()) return {};
    std::vector<Row> rows = {{"priority of", "traffic class", "data", "back", "CNP", ""}};
    std::string faults;
    for (const ClassTrial& trial : report.classes) {
        rows.push_back({std::string(name_of(trial.operation)), std::to_string(trial.traffic_class),
                        trial.unknown.empty() ? travel_text(trial.data) : "unknown",
                        trial.unknown.empty() ? travel_text(trial.back) : "unknown",
                        notified_text(trial), trial.unknown});
        for (const std::string& fault : trial.faults)
            faults += style.bad(std::string(name_of(trial.operation)) + ": " + fault) + '\n';
    }
    if (!report.priority)
        faults += "Nothing here says which priority RoCE has: --profile names it.\n";
    return '\n' + table(rows, "", style.width) + faults;
}

std::string losses_text(const PathReport& report, const Style& style) {
    std::string out;
    for (const core::probe::PacketLoss& loss : report.packet_losses)
        out.append(style.bad("lost"))
            .append(": ")
            .append(on_one_line(packet_loss_text(loss)))
            .append("\n");
    return out.empty() ? out : '\n' + out;
}

std::string outcomes_text(const std::vector<Outcome>& outcomes, const Style& style) {
    std::vector<Row> rows;
    for (const Outcome& outcome : outcomes)
        rows.push_back({"expected", outcome.expectation.text, "measured " + measured_text(outcome),
                        outcome.met ? style.good("met") : style.bad("not met")});
    return rows.empty() ? std::string() : '\n' + table(rows, "", style.width);
}

/// The median, or the payload; a dash where it was not measured.
std::string figure_text(const PathReport& report, core::probe::Operation operation,
                        bool bandwidth) {
    for (const Trial& trial : report.trials) {
        if (trial.operation != operation) continue;
        if (bandwidth && trial.bandwidth) return formatted("%.3f", trial.bandwidth->gigabits());
        if (!bandwidth && trial.latency) return microseconds(trial.latency->times.percentile(50));
    }
    return "-";
}

}  // namespace

std::string probe_table(const std::vector<PathReport>& reports, const Style& style) {
    std::vector<Row> rows{{"FROM", "TO", "RESULT", "SEND us", "WRITE us", "READ us", "SEND Gb/s",
                           "WRITE Gb/s", "READ Gb/s"}};
    for (const PathReport& report : reports) {
        Row row{report.here.device, report.peer.device,
                report.failure.empty() ? style.good("works") : style.bad("fails")};
        for (const bool bandwidth : {false, true})
            for (const core::probe::Operation operation : core::probe::kOperations)
                row.push_back(figure_text(report, operation, bandwidth));
        rows.push_back(std::move(row));
    }
    return figures(rows, 2, style.width);
}

std::string measured_text(const Outcome& outcome) {
    if (!outcome.measured) return "not measured";
    const core::probe::Expectation& expectation = outcome.expectation;
    return formatted("%.4g ", *outcome.measured / expectation.factor) + expectation.unit;
}

std::string probe_text(const PathReport& report, const Style& style) {
    std::string out = path_text(report) + '\n' + checks_text(report, style);
    if (!report.fallback.empty())
        out += style.faint("RDMA was left out, and what is measured is TCP alone: " +
                           report.fallback) +
               '\n';
    out += cm_text(report, style) + mtu_text(report, style) + flows_text(report, style);
    out += trials_text(report, style) + classes_text(report, style) + losses_text(report, style);
    out += outcomes_text(report.outcomes, style);
    if (!report.failure.empty())
        out += '\n' + style.bad("failure") + ": " + on_one_line(report.failure) + '\n';
    if (!report.advice.empty()) out += on_one_line(report.advice) + '\n';
    return fitted(out, style.width);
}

}  // namespace cli
