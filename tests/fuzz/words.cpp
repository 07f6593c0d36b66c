// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "core/checks/catalogue.hpp"
#include "core/doctor/comparison.hpp"
#include "core/doctor/diagnosis.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/error.hpp"
#include "core/json/json.hpp"
#include "core/probe/hosts.hpp"
#include "core/redact/redaction.hpp"
#include "tests/fuzz/targets.hpp"

namespace fuzz {
namespace {

/// A log in which `rocectl explain -` looks for what it knows.
void log_file(Bytes bytes) {
    std::vector<core::MetText> met;
    std::istringstream lines(text_of(bytes));
    for (std::string line; std::getline(lines, line);) {
        static_cast<void>(core::find_error_text(line, false));
        core::meet(met, line, true);
    }
    require(met.size() <= core::error_texts().size(), "there are no more than rows");
    for (const std::string_view finding : core::candidate_findings(met))
        require(core::find_finding(finding) != nullptr, "a finding is one");
}

/// A list of hosts, as it stands in a file and in a job's variable.
void host_list(Bytes bytes) {
    const std::string text = text_of(bytes);
    for (auto* const read : {core::probe::expand_hosts,
                             +[](std::string_view list) { return core::probe::hosts_in(list); }})
        try {
            const std::vector<std::string> hosts = read(text);
            require(core::probe::without_doubles(hosts).size() <= hosts.size(), "none is made");
        } catch (const core::Error& error) {
            require(error.status() == core::Status::usage, "a bad list is wrong usage");
        }
}

/// What doctor makes of a host of which every word is somebody else's, and the host redacted.
void diagnosis(Bytes bytes) {
    constexpr std::size_t kFewPorts = 4;
    try {
        const core::State host = core::parse_state(text_of(bytes), "state", core::Values::observed);
        if (host.ports.size() > kFewPorts) return;
        const core::Inquiry inquiry{.now = &host, .earlier = &host, .seconds = 60, .twice = true};
        const core::Diagnosis found = core::diagnose(inquiry);
        for (const core::Check& check : found.examination.checks)
            require(check.verdict != core::Verdict::crash, check.row->id.data());
        static_cast<void>(core::status_of(found.examination, true));
        static_cast<void>(core::compared(host, host, 60));
        const core::Redaction redaction(host, 1);
        require_kept(redaction.state());
        for (const core::Check& check : found.examination.checks)
            for (const core::Fault& fault : check.faults)
                static_cast<void>(redaction.text(fault.text));
    } catch (const core::Error& error) {
        require(error.status() == core::Status::invalid_input, "a bad file is invalid input");
    }
}

}  // namespace

std::vector<Target> of_words() {
    return {{"words", log_file}, {"hosts", host_list}, {"doctor", diagnosis}};
}

}  // namespace fuzz
