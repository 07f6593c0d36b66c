// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include "cli/views/formatted.hpp"
#include "cli/views/junit.hpp"

namespace cli {
namespace {

using core::probe::Outcome;
using core::probe::PathCheck;
using core::probe::PathReport;

std::string class_name(const core::probe::ClassTrial& trial) {
    return "priority of " + std::string(name_of(trial.operation)) + " with traffic class " +
           std::to_string(trial.traffic_class);
}

std::string faults_text(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts)
        out += (out.empty() ? "" : "; ") + text;
    return out;
}

void add_cases(std::vector<JunitCase>& cases, const PathReport& report) {
    for (const PathCheck& check : report.checks)
        cases.push_back({.port = report.here.port,
                         .name = check.name,
                         .failure = check.skipped ? "" : check.why,
                         .type = check.skipped || check.why.empty() ? "" : "probe",
                         .skipped = check.skipped ? check.why : ""});
    for (const core::probe::ClassTrial& trial : report.classes)
        cases.push_back({.port = report.here.port,
                         .name = class_name(trial),
                         .failure = faults_text(trial.faults),
                         .type = trial.faults.empty() ? "" : "class",
                         .skipped = trial.unknown});
    if (report.cm)
        cases.push_back({.port = report.here.port,
                         .name = "connect by rdma_cm",
                         .failure = report.cm->failure,
                         .type = report.cm->failure.empty() ? "" : "probe"});
    if (report.path)
        cases.push_back({.port = report.here.port,
                         .name = "path MTU",
                         .failure = core::probe::carries_rdma(*report.path)
                                        ? ""
                                        : core::probe::words_of(*report.path),
                         .type = core::probe::carries_rdma(*report.path) ? "" : "probe"});
    for (const core::probe::FlowPath& path : report.flows)
        cases.push_back({.port = report.here.port,
                         .name = "UDP source port " + std::to_string(path.source_port),
                         .failure = core::probe::loses_packets(path) ? "it loses packets" : "",
                         .type = core::probe::loses_packets(path) ? "probe" : ""});
    if (!report.fallback.empty())
        cases.push_back({.port = report.here.port, .name = "RDMA", .skipped = report.fallback});
    for (const Outcome& outcome : report.outcomes)
        cases.push_back(
            {.port = report.here.port,
             .name = outcome.expectation.text,
             .failure = outcome.met ? "" : "not met, measured " + measured_text(outcome),
             .type = outcome.met ? "" : "expectation"});
    if (!report.failure.empty())
        cases.push_back({.port = report.here.port.empty() ? report.peer.address : report.here.port,
                         .name = "the run",
                         .failure = report.failure,
                         .type = "probe"});
}

/// What is wrong, for which perftest has no columns: a line for each case that fails or says
/// nothing of the class.
std::string wrong_lines(const PathReport& report) {
    std::vector<JunitCase> cases;
    add_cases(cases, report);
    std::string out;
    for (const JunitCase& one : cases)
        if (!one.failure.empty())
            out.append(one.port).append(": ").append(one.name).append(": ").append(one.failure) +=
                '\n';
    for (const core::probe::ClassTrial& trial : report.classes)
        if (!trial.unknown.empty())
            out.append(class_name(trial)).append(": ").append(trial.unknown) += '\n';
    return out;
}

}  // namespace

std::string probe_perftest(const PathReport& report) {
    std::string out;
    for (const core::probe::Trial& trial : report.trials) {
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
    return out;
}

std::string probe_junit(const std::string& name, const std::vector<PathReport>& reports) {
    std::vector<JunitCase> cases;
    for (const PathReport& report : reports)
        add_cases(cases, report);
    return junit_suite(name, reports.empty() ? "" : reports.front().here.address, cases);
}

std::string probe_view(const Heading& heading, Output form, const Style& style,
                       const std::vector<PathReport>& reports) {
    if (form == Output::json) return probe_json(heading, reports);
    if (form == Output::junit) return probe_junit("rocectl " + heading.command, reports);
    std::string out;
    if (heading.command == "probe loopback" && form != Output::perftest)
        out = probe_table(reports, style);
    for (const PathReport& report : reports) {
        if (!out.empty()) out += '\n';
        out += form == Output::perftest ? probe_perftest(report) + wrong_lines(report)
                                        : probe_text(report, style);
    }
    return out;
}

}  // namespace cli
