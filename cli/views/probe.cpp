// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include "cli/views/junit_suite.hpp"

namespace cli {
namespace {

using core::probe::Outcome;
using core::probe::PathCheck;
using core::probe::PathReport;

void add_cases(std::vector<JunitCase>& cases, const PathReport& report) {
    for (const PathCheck& check : report.checks)
        cases.push_back({.port = report.here.port,
                         .name = check.name,
                         .failure = check.skipped ? "" : check.why,
                         .type = check.skipped || check.why.empty() ? "" : "probe",
                         .skipped = check.skipped ? check.why : ""});
    if (!report.fallback.empty())
        cases.push_back({.port = report.here.port, .name = "RDMA", .skipped = report.fallback});
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
