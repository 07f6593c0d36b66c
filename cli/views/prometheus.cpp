// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/views/monitor.hpp"
#include "cli/views/quoted.hpp"
#include "core/checks/catalogue.hpp"

namespace cli {
namespace {

using core::Verdict;

constexpr std::array kNumbered = {Verdict::pass,    Verdict::warn, Verdict::fail,
                                  Verdict::unknown, Verdict::skip, Verdict::crash};

std::size_t number_of(Verdict verdict) {
    return static_cast<std::size_t>(std::ranges::find(kNumbered, verdict) - kNumbered.begin());
}

std::string metric(std::string_view name, std::string_view help) {
    return "# HELP " + std::string(name) + ' ' + std::string(help) + "\n# TYPE " +
           std::string(name) + " gauge\n";
}

std::string pair(std::string_view name, std::string_view value) {
    return std::string(name) + "=\"" + label(value) + '"';
}

/// What is the host's is on no port.
std::string_view port_label(const core::Check& check) {
    return check.port == core::kHost ? std::string_view() : std::string_view(check.port);
}

std::string check_line(const core::Check& check) {
    return "rocectl_doctor_check{" + pair("check", check.row->id) + ',' +
           pair("port", port_label(check)) + ',' + pair("group", group_of(*check.row).name) + "} " +
           std::to_string(number_of(check.verdict)) + '\n';
}

std::string cause_line(const core::Suspect& cause) {
    return "rocectl_doctor_cause_ports{" + pair("check", cause.row->id) + ',' +
           pair("verdict", word(cause.verdict)) + "} " + std::to_string(cause.checks.size()) + '\n';
}

}  // namespace

std::string doctor_prometheus(const DoctorView& view, std::optional<std::int64_t> seconds) {
    const core::Diagnosis& diagnosis = view.diagnosis;
    std::string out = metric("rocectl_doctor_check",
                             "What became of a check: 0 pass, 1 warn, 2 fail, 3 unknown, 4 skip, 5 "
                             "crash; of the host where port is empty.");
    for (const core::Check& check : diagnosis.examination.checks)
        out += check_line(check);
    out += metric("rocectl_doctor_checks", "Checks that ended so.");
    const auto counted = core::tally(diagnosis.examination);
    for (const Verdict verdict : kNumbered) {
        const auto number = counted.find(verdict);
        out += "rocectl_doctor_checks{" + pair("verdict", word(verdict)) + "} " +
               std::to_string(number == counted.end() ? 0 : number->second) + '\n';
    }
    out += metric("rocectl_doctor_causes", "Causes of what was found, consequences not counted.") +
           "rocectl_doctor_causes " + std::to_string(diagnosis.causes.size()) + '\n';
    out += metric("rocectl_doctor_cause_ports", "On how many ports the cause was found.");
    for (const core::Suspect& cause : diagnosis.causes)
        out += cause_line(cause);
    out += metric("rocectl_doctor_ports", "Ports of the RoCE fabric.") + "rocectl_doctor_ports " +
           std::to_string(diagnosis.examination.ports.size()) + '\n';
    if (!seconds) return out;
    return out + metric("rocectl_doctor_timestamp_seconds", "When the host was read.") +
           "rocectl_doctor_timestamp_seconds " + std::to_string(*seconds) + '\n';
}

}  // namespace cli
