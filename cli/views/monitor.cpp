// SPDX-License-Identifier: Apache-2.0
#include "cli/views/monitor.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "cli/views/junit.hpp"
#include "cli/views/quoted.hpp"
#include "core/checks/catalogue.hpp"

namespace cli {
namespace {

using core::Status;
using core::Suspect;
using core::Verdict;

enum class Health : std::uint8_t { good, warning, bad, unknown };

Health health_of(const core::Examination& examination, bool strict) {
    const Status status = status_of(examination, strict);
    if (status == Status::differs) return Health::bad;
    // What could not be looked at may be a fault, whatever a warning says beside.
    if (status != Status::done) return Health::unknown;
    return core::tally(examination).contains(Verdict::warn) ? Health::warning : Health::good;
}

/// As the program behind the form counts them.
Status status_in(Output form, Health health) {
    constexpr std::array of_nagios = {0, 1, 2, 3};
    constexpr std::array of_npd = {0, 0, 1, 2};
    const auto at = static_cast<std::size_t>(health);
    return static_cast<Status>(form == Output::nagios ? of_nagios.at(at) : of_npd.at(at));
}

std::string_view word_of(Health health) {
    constexpr std::array<std::string_view, 4> words = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
    return words.at(static_cast<std::size_t>(health));
}

std::string cause_text(const Suspect& cause) {
    const std::string& first = cause.checks.front()->port;
    std::string out = std::string(cause.row->id) + " on " + std::string(first);
    if (cause.checks.size() > 1) out += " and " + count(cause.checks.size() - 1, "more port");
    return out;
}

/// What is not known first, where that is all there is to say.
std::string unknown_text(const core::Examination& examination) {
    if (examination.ports.empty()) return "no port of a RoCE fabric";
    const auto counted = core::tally(examination);
    std::size_t number = 0;
    for (const Verdict verdict : {Verdict::unknown, Verdict::crash})
        if (const auto known = counted.find(verdict); known != counted.end())
            number += known->second;
    return count(number, "check") + " could not be made";
}

std::string said(const DoctorView& view, Health health) {
    const core::Diagnosis& diagnosis = view.diagnosis;
    if (health == Health::unknown) return unknown_text(diagnosis.examination);
    if (!diagnosis.causes.empty()) {
        std::string out = cause_text(diagnosis.causes.front());
        if (const std::size_t more = diagnosis.causes.size() - 1; more > 0)
            out += ", " + count(more, "more cause");
        return out;
    }
    return count(diagnosis.examination.ports.size(), "port") + ", " +
           count(diagnosis.examination.checks.size(), "check");
}

/// `fail=1;;0;0`: of warnings and failures any is one too many.
std::string numbers(const DoctorView& view) {
    const auto counted = core::tally(view.diagnosis.examination);
    std::string out = " | causes=" + std::to_string(view.diagnosis.causes.size()) + ";;;0";
    for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::unknown, Verdict::crash,
                                  Verdict::pass, Verdict::skip, Verdict::accepted}) {
        const auto number = counted.find(verdict);
        out += ' ' + std::string(word(verdict)) + '=' +
               std::to_string(number == counted.end() ? 0 : number->second);
        out += verdict == Verdict::fail ? ";;0;0" : verdict == Verdict::warn ? ";0;;0" : ";;;0";
    }
    return out;
}

/// node-problem-detector keeps 80 bytes of what a plugin says (max_output_length); no character is
/// cut in two.
std::string shortened(std::string text) {
    constexpr std::size_t most = 80;
    if (text.size() <= most) return text;
    constexpr std::string_view mark = "...";
    std::size_t end = most - mark.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80)
        --end;
    text.resize(end);
    return text += mark;
}

std::string line_of(Output form, Health health, const std::string& text) {
    if (form == Output::nagios)
        return "ROCE " + std::string(word_of(health)) + " - " + plugin_text(text);
    return shortened(plugin_text(text));
}

}  // namespace

bool is_monitor(Output form) {
    return form == Output::nagios || form == Output::npd;
}

Status monitor_status(Output form, const core::Examination& examination, bool strict) {
    return status_in(form, health_of(examination, strict));
}

Status monitor_unknown(Output form) {
    return status_in(form, Health::unknown);
}

std::string monitor_line(Output form, const DoctorView& view, bool strict) {
    const Health health = health_of(view.diagnosis.examination, strict);
    std::string out = line_of(form, health, said(view, health));
    if (form == Output::nagios) out += numbers(view);
    return out += '\n';
}

std::string monitor_error(Output form, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "; ") + line;
    return line_of(form, Health::unknown, text) + '\n';
}

namespace {

constexpr std::array kNumbered = {Verdict::pass, Verdict::warn,  Verdict::fail,    Verdict::unknown,
                                  Verdict::skip, Verdict::crash, Verdict::accepted};

/// A database keeps each series that it ever met: of causes there are so many at most.
constexpr std::size_t kMostCauses = 4;

std::string metric(std::string_view name, std::string_view help) {
    return "# HELP " + std::string(name) + ' ' + std::string(help) + "\n# TYPE " +
           std::string(name) + " gauge\n";
}

std::string pair(std::string_view name, std::string_view value) {
    return std::string(name) + "=\"" + label(value) + '"';
}

/// How many checks of each port ended so; those of the host have no name of a port.
std::string port_lines(const core::Examination& examination) {
    std::map<std::string_view, std::map<Verdict, std::size_t>> counted;
    for (const std::string& port : examination.ports)
        counted[port];
    for (const core::Check& check : examination.checks)
        ++counted[check.port == core::kHost ? std::string_view() : check.port][check.verdict];
    std::string out;
    for (auto& [port, numbers] : counted)
        for (const Verdict verdict : kNumbered)
            out += "rocectl_doctor_port_checks{" + pair("port", port) + ',' +
                   pair("verdict", word(verdict)) + "} " + std::to_string(numbers[verdict]) + '\n';
    return out;
}

std::string cause_line(const core::Suspect& cause) {
    return "rocectl_doctor_cause_ports{" + pair("check", cause.row->id) + ',' +
           pair("verdict", word(cause.verdict)) + "} " + std::to_string(cause.checks.size()) + '\n';
}

}  // namespace

std::string doctor_prometheus(const DoctorView& view, std::optional<std::int64_t> seconds) {
    const core::Diagnosis& diagnosis = view.diagnosis;
    std::string out = metric("rocectl_doctor_port_checks",
                             "Checks of a port that ended so; of the host where port is empty.");
    out += port_lines(diagnosis.examination);
    out += metric("rocectl_doctor_checks", "Checks that ended so.");
    const auto counted = core::tally(diagnosis.examination);
    for (const Verdict verdict : kNumbered) {
        const auto number = counted.find(verdict);
        out += "rocectl_doctor_checks{" + pair("verdict", word(verdict)) + "} " +
               std::to_string(number == counted.end() ? 0 : number->second) + '\n';
    }
    out += metric("rocectl_doctor_causes", "Causes of what was found, consequences not counted.") +
           "rocectl_doctor_causes " + std::to_string(diagnosis.causes.size()) + '\n';
    out += metric("rocectl_doctor_cause_ports",
                  "On how many ports the cause was found; of the first four causes.");
    for (std::size_t i = 0; i < std::min(kMostCauses, diagnosis.causes.size()); ++i)
        out += cause_line(diagnosis.causes[i]);
    out += metric("rocectl_doctor_ports", "Ports of the RoCE fabric.") + "rocectl_doctor_ports " +
           std::to_string(diagnosis.examination.ports.size()) + '\n';
    if (!seconds) return out;
    return out + metric("rocectl_doctor_timestamp_seconds", "When the host was read.") +
           "rocectl_doctor_timestamp_seconds " + std::to_string(*seconds) + '\n';
}

namespace {

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
        case Verdict::accepted:
            out.skipped = "accepted: " + check.reason + "; " + faults_text(check);
            break;
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
