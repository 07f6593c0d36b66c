// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include "cli/views/formatted.hpp"

namespace cli {

using core::probe::PathReport;
using core::probe::Trial;

namespace {

/// What is wrong, for which perftest has no columns: a line for each.
std::string wrong_lines(const PathReport& report) {
    std::string out;
    for (const core::probe::ClassTrial& trial : report.classes) {
        for (const std::string& fault : trial.faults)
            out += std::string(name_of(trial.operation)) + ": " + fault + '\n';
        if (!trial.unknown.empty())
            out += std::string(name_of(trial.operation)) + ": " + trial.unknown + '\n';
    }
    if (report.cm && !report.cm->failure.empty()) out += "rdma_cm: " + report.cm->failure + '\n';
    if (report.path && !core::probe::carries_rdma(*report.path))
        out += core::probe::words_of(*report.path) + '\n';
    for (const core::probe::FlowPath& flow : report.flows)
        if (core::probe::loses_packets(flow))
            out += "UDP source port " + std::to_string(flow.source_port) + ": it loses packets\n";
    for (const core::probe::Outcome& outcome : report.outcomes)
        if (!outcome.met)
            out +=
                outcome.expectation.text + ": not met, measured " + measured_text(outcome) + '\n';
    const std::string& where = report.here.port.empty() ? report.peer.address : report.here.port;
    if (!report.failure.empty()) out += where + ": " + report.failure + '\n';
    return out;
}

}  // namespace

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
                trial.size, trial.bandwidth->messages + (trial.back ? trial.back->messages : 0),
                0.0, trial.bandwidth->mebibytes() + (trial.back ? trial.back->mebibytes() : 0),
                trial.bandwidth->million_messages() +
                    (trial.back ? trial.back->million_messages() : 0));
        }
    }
    return out + wrong_lines(report);
}

}  // namespace cli
