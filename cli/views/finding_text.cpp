// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_lines.hpp"
#include "cli/views/map_text.hpp"
#include "cli/views/port_groups.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/text.hpp"

// What is found, as lines.

namespace cli {
namespace {

using core::Finding;
using core::Plan;

std::string level_text(Finding::Level level, const Style& style) {
    const std::string word(core::word(level));
    return level == Finding::Level::note ? style.faint(word) : style.bad(word);
}

/// `ens1f0, ens1f1: dscp.map 26, dscp.map 48`
std::string concerned_text(const Concerned& concerned, const Grouping& of) {
    std::string out = concerned.ports.front().empty() ? "" : ports_text(concerned.ports, of) + ": ";
    for (const std::string& name : concerned.names)
        if (!name.empty()) out += (&name == &concerned.names.front() ? "" : ", ") + name;
    return out;
}

std::string reported_text(const Reported& one, const Grouping& of, const Style& style) {
    std::string out = level_text(one.level, style) + ": ";
    if (one.by_cause) {
        out += on_one_line(one.text) + '\n';
        for (Concerned concerned : one.concerned) {
            if (of.group_ports) concerned.names = names_once(concerned.names);
            out += "  " + concerned_text(concerned, of) + '\n';
        }
    } else {
        const Concerned& concerned = one.concerned.front();
        out += concerned_text(concerned, of);
        out += (concerned.names.front().empty() ? "" : ": ") + on_one_line(one.text) + '\n';
    }
    if (one.remedy.empty()) return out;
    const Pasted remedy = pasted(one.remedy);
    // Half of a remedy by itself could be taken for the whole.
    if (remedy.commands.empty() || !remedy.words.empty())
        return out + "  remedy: " + on_one_line(one.remedy) + '\n';
    out += "  remedy:\n";
    for (const std::string& command : remedy.commands)
        out += paste_line(command);
    return out;
}

std::string reported_all(const std::vector<Finding>& findings, const Grouping& of,
                         const Style& style) {
    std::string out;
    for (const Reported& one : reported(findings, of))
        out += reported_text(one, of, style);
    return out;
}

}  // namespace

std::string line_of(const Finding& finding) {
    const std::string name = subject_of(finding);
    return (finding.port.empty() ? "" : finding.port + ": ") + (name.empty() ? "" : name + ": ") +
           finding.text;
}

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
    return reported_all(findings, Grouping{.group_ports = style.group_ports}, style);
}

std::vector<std::string> finding_lines(const Plan& plan, const Style& style) {
    const Grouping of = grouping_of(plan, style.group_ports);
    std::vector<std::string> out;
    for (const Reported& one : reported(plan.findings, of)) {
        std::string line;
        for (const Concerned& concerned : one.concerned)
            line += (line.empty() ? "" : "; ") + concerned_text(concerned, of);
        out.push_back(line + (line.empty() || line.ends_with(": ") ? "" : ": ") + one.text);
    }
    return out;
}

std::string plan_findings_text(const Plan& plan, const Style& style) {
    return reported_all(plan.findings, grouping_of(plan, style.group_ports), style);
}

}  // namespace cli
