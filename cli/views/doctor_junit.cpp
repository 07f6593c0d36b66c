// SPDX-License-Identifier: Apache-2.0
#include "cli/views/junit_suite.hpp"
#include "cli/views/monitor.hpp"
#include "core/checks/catalogue.hpp"

namespace cli {
namespace {

using core::Verdict;

std::string faults_text(const core::Check& check) {
    std::string out;
    for (const core::Fault& fault : check.faults) {
        out += (out.empty() ? "" : "\n") + fault.text;
        if (!fault.remedy.empty()) out += "; remedy: " + fault.remedy;
    }
    return out;
}

JunitCase case_of(const core::Check& check, bool strict) {
    JunitCase out{.port = check.port == core::kHost ? "host" : check.port,
                  .name = std::string(check.row->id)};
    switch (check.verdict) {
        case Verdict::pass: break;
        case Verdict::skip: out.skipped = check.reason; break;
        case Verdict::unknown: out.skipped = "unknown: " + check.reason; break;
        case Verdict::crash: out.error = check.reason.empty() ? "crash" : check.reason; break;
        case Verdict::warn:
            (strict ? out.failure : out.said) = "warning: " + faults_text(check);
            break;
        case Verdict::fail: out.failure = faults_text(check); break;
    }
    if (!out.failure.empty()) out.type = out.name;
    return out;
}

}  // namespace

std::string doctor_junit(const DoctorView& view, bool strict) {
    std::vector<JunitCase> cases;
    for (const core::Check& check : view.diagnosis.examination.checks)
        cases.push_back(case_of(check, strict));
    if (view.active != nullptr)
        cases.push_back({.port = "host",
                         .name = "sent by RDMA",
                         .failure = view.active->failure,
                         .type = view.active->failure.empty() ? "" : "probe"});
    std::string name = "rocectl doctor";
    if (!view.profile.empty()) name += ' ' + view.profile;
    return junit_suite(name, view.state.host.name, cases);
}

}  // namespace cli
