// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/diagnosis.hpp"

namespace core {

Diagnosis diagnose(const Inquiry& inquiry) {
    Diagnosis out;
    out.examination = examine_host(inquiry);
    out.causes = causes(out.examination);
    out.chains = chains(inquiry, out.examination, out.causes);
    return out;
}

std::map<Verdict, std::size_t> tally(const Examination& examination) {
    std::map<Verdict, std::size_t> out;
    for (const Check& check : examination.checks)
        ++out[check.verdict];
    return out;
}

Status status_of(const Examination& examination, bool strict) {
    const auto counted = tally(examination);
    const auto any = [&](Verdict verdict) { return counted.contains(verdict); };
    if (any(Verdict::fail) || (strict && any(Verdict::warn))) return Status::differs;
    const bool none = examination.ports.empty() || (!any(Verdict::pass) && !any(Verdict::warn));
    return none || any(Verdict::unknown) || any(Verdict::crash) ? Status::failed : Status::done;
}

}  // namespace core
