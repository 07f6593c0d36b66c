// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/views/junit_suite.hpp"

namespace cli {
namespace {

using core::probe::Outcome;
using core::probe::PathCheck;
using core::probe::PathReport;
using core::probe::Trial;

template <typename... Values>
std::string formatted(const char* form, Values... values) {
    std::array<char, 256> room{};
    const int size = std::snprintf(room.data(), room.size(), form, values...);
    return {room.data(), std::min(static_cast<std::size_t>(size), room.size() - 1)};
}

std::string microseconds(double nanoseconds) {
    return formatted("%.2f", nanoseconds / 1000);
}

std::string microseconds(std::uint64_t nanoseconds) {
    return microseconds(static_cast<double>(nanoseconds));
}

std::string end_text(const core::probe::End& end) {
    return end.address + " (" + end.device + " on " + end.port + ", GID " +
           std::to_string(end.gid_index) + ")";
}

std::string path_text(const PathReport& report) {
    std::string out = "from " + end_text(report.here) + '\n';
    if (!report.peer.device.empty()) out += "to   " + end_text(report.peer) + '\n';
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
    return table(rows);
}

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
    std::vector<Row> rows{{"BANDWIDTH Gb/s", "BYTES", "QUEUE PAIRS", "DEPTH", "PAYLOAD", "WIRE",
                           "M MESSAGES/s", "CPU", "PEER CPU"}};
    for (const Trial& trial : report.trials) {
        if (!trial.bandwidth) continue;
        const double share =
            static_cast<double>(trial.wire_bytes) / static_cast<double>(trial.size);
        rows.push_back({std::string(core::probe::name_of(trial.operation)),
                        std::to_string(trial.size), std::to_string(trial.queue_pairs),
                        std::to_string(trial.depth), formatted("%.3f", trial.bandwidth->gigabits()),
                        formatted("%.3f", trial.bandwidth->gigabits() * share),
                        formatted("%.4f", trial.bandwidth->million_messages()),
                        percent(trial.processor.here), percent(trial.processor.peer)});
    }
    return rows.size() == 1 ? std::string() : '\n' + table(rows);
}

std::string measured_text(const Outcome& outcome) {
    if (!outcome.measured) return "not measured";
    const core::probe::Expectation& expectation = outcome.expectation;
    return formatted("%.4g ", *outcome.measured / expectation.factor) + expectation.unit;
}

std::string outcomes_text(const std::vector<Outcome>& outcomes, const Style& style) {
    std::vector<Row> rows;
    for (const Outcome& outcome : outcomes)
        rows.push_back({"expected", outcome.expectation.text, "measured " + measured_text(outcome),
                        outcome.met ? style.good("met") : style.bad("not met")});
    return rows.empty() ? std::string() : '\n' + table(rows);
}

nlohmann::ordered_json end_json(const core::probe::End& end) {
    return {{"address", end.address},
            {"port", end.port},
            {"device", end.device},
            {"gid_index", end.gid_index}};
}

nlohmann::ordered_json latency_json(const core::probe::Histogram& times) {
    nlohmann::ordered_json out{{"count", times.count()},
                               {"min", times.min()},
                               {"p50", times.percentile(50)},
                               {"p90", times.percentile(90)},
                               {"p99", times.percentile(99)},
                               {"p99.9", times.percentile(99.9)},
                               {"max", times.max()},
                               {"mean", times.mean()},
                               {"deviation", times.deviation()}};
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const auto& step : times.steps())
        steps.push_back({step.from, step.count});
    out["histogram"] = std::move(steps);
    return out;
}

nlohmann::ordered_json trial_json(const Trial& trial) {
    nlohmann::ordered_json out{{"operation", core::probe::name_of(trial.operation)},
                               {"size", trial.size},
                               {"queue_pairs", trial.queue_pairs},
                               {"depth", trial.depth}};
    if (trial.latency) out["latency"] = latency_json(trial.latency->times);
    if (trial.bandwidth)
        out["bandwidth"] = {
            {"messages", trial.bandwidth->messages},
            {"bytes", trial.bandwidth->bytes},
            {"nanoseconds", trial.bandwidth->nanoseconds},
            {"payload", trial.bandwidth->gigabits() * 1e9},
            {"wire", trial.bandwidth->gigabits() * 1e9 * static_cast<double>(trial.wire_bytes) /
                         static_cast<double>(trial.size)}};
    out["processor"] = {{"here", trial.processor.here}, {"peer", trial.processor.peer}};
    return out;
}

nlohmann::ordered_json path_json(const PathReport& report) {
    nlohmann::ordered_json out{{"here", end_json(report.here)},
                               {"peer", end_json(report.peer)},
                               {"mtu", report.mtu},
                               {"traffic_class", report.traffic_class},
                               {"completion", report.completion}};
    auto& checks = out["checks"] = nlohmann::ordered_json::array();
    for (const PathCheck& check : report.checks)
        checks.push_back({{"name", check.name},
                          {"verdict", check.skipped       ? "skip"
                                      : check.why.empty() ? "pass"
                                                          : "fail"},
                          {"sizes", check.sizes},
                          {"why", check.why}});
    auto& trials = out["trials"] = nlohmann::ordered_json::array();
    for (const Trial& trial : report.trials)
        trials.push_back(trial_json(trial));
    auto& expected = out["expected"] = nlohmann::ordered_json::array();
    for (const Outcome& outcome : report.outcomes) {
        nlohmann::ordered_json one{{"text", outcome.expectation.text}, {"met", outcome.met}};
        one["measured"] = outcome.measured ? nlohmann::ordered_json(*outcome.measured) : nullptr;
        expected.push_back(std::move(one));
    }
    out["failure"] = report.failure;
    out["advice"] = report.advice;
    return out;
}

void add_cases(std::vector<JunitCase>& cases, const PathReport& report) {
    for (const PathCheck& check : report.checks)
        cases.push_back({.port = report.here.port,
                         .name = check.name,
                         .failure = check.skipped ? "" : check.why,
                         .type = check.skipped || check.why.empty() ? "" : "probe",
                         .skipped = check.skipped ? check.why : ""});
    for (const Outcome& outcome : report.outcomes)
        cases.push_back({.port = report.here.port,
                         .name = outcome.expectation.text,
                         .failure = outcome.met ? "" : "measured " + measured_text(outcome),
                         .type = outcome.met ? "" : "expectation"});
    if (!report.failure.empty())
        cases.push_back({.port = report.here.port,
                         .name = "the run",
                         .failure = report.failure,
                         .type = "probe"});
}

}  // namespace

std::string probe_text(const PathReport& report, const Style& style) {
    std::string out = path_text(report) + '\n' + checks_text(report, style) + latency_text(report) +
                      bandwidth_text(report) + outcomes_text(report.outcomes, style);
    if (!report.failure.empty()) out += '\n' + style.bad("failure") + ": " + report.failure + '\n';
    if (!report.advice.empty()) out += report.advice + '\n';
    return out;
}

std::string probe_json(const Heading& heading, const std::vector<PathReport>& reports) {
    nlohmann::ordered_json body;
    auto& paths = body["paths"] = nlohmann::ordered_json::array();
    for (const PathReport& report : reports)
        paths.push_back(path_json(report));
    return document(heading, std::move(body));
}

std::string probe_perftest(const PathReport& report) {
    std::string out;
    for (const Trial& trial : report.trials) {
        if (trial.latency) {
            const core::probe::PerftestLatency& of = trial.latency->perftest;
            out +=
                " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    "
                "t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% "
                "percentile[usec] \n";
            out += formatted(
                " %-7lu %lu          %-7.2f        %-7.2f      %-7.2f         %-7.2f     "
                "   %-7.2f         %-7.2f              %-7.2f\n",
                trial.size, of.iterations, of.min, of.max, of.typical, of.average, of.deviation,
                of.percentile99, of.percentile999);
        }
        if (trial.bandwidth) {
            out +=
                " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   "
                "MsgRate[Mpps]\n";
            out += formatted(
                " %-7lu    %-10lu       %-7.2lf            %-7.2lf                %-7.6lf\n",
                trial.size, trial.bandwidth->messages, 0.0, trial.bandwidth->mebibytes(),
                trial.bandwidth->million_messages());
        }
    }
    return out;
}

std::string probe_junit(const std::vector<PathReport>& reports) {
    std::vector<JunitCase> cases;
    for (const PathReport& report : reports)
        add_cases(cases, report);
    return junit_suite("rocectl probe run", reports.empty() ? "" : reports.front().here.address,
                       cases);
}

std::string probe_view(const Session& session, core::Status status,
                       const std::vector<PathReport>& reports) {
    if (session.options.output == Output::json)
        return probe_json({session.command, status}, reports);
    if (session.options.output == Output::junit) return probe_junit(reports);
    std::string out;
    for (const PathReport& report : reports) {
        if (!out.empty()) out += '\n';
        if (session.options.output != Output::perftest) {
            out += probe_text(report, session.style);
            continue;
        }
        out += probe_perftest(report);
        if (!report.failure.empty()) out += report.failure + '\n';
    }
    return out;
}

}  // namespace cli
