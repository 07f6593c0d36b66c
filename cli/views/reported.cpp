// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "cli/views/port_groups.hpp"
#include "core/plan/readiness.hpp"

// What is found, each cause once.

namespace cli {
namespace {

using core::Finding;

void add(Concerned concerned, std::vector<Concerned>& all) {
    for (Concerned& other : all) {
        if (other.names != concerned.names) continue;
        other.ports.insert(other.ports.end(), concerned.ports.begin(), concerned.ports.end());
        return;
    }
    all.push_back(std::move(concerned));
}

/// Which desired values of which ports.
std::vector<Concerned> concerned_by(const std::vector<const Finding*>& findings) {
    std::vector<Concerned> by_port;
    for (const Finding* finding : findings) {
        const auto found = std::ranges::find_if(
            by_port, [&](const Concerned& one) { return one.ports.front() == finding->port; });
        Concerned& one = found == by_port.end()
                             ? by_port.emplace_back(Concerned{.ports = {finding->port}})
                             : *found;
        const std::string name = subject_of(*finding);
        if (std::ranges::find(one.names, name) == one.names.end()) one.names.push_back(name);
    }
    std::vector<Concerned> out;
    for (Concerned& one : by_port)
        add(std::move(one), out);
    return out;
}

Reported reported_once(const std::vector<const Finding*>& findings, const Grouping& of) {
    const Finding& first = *findings.front();
    Reported out{.level = first.level, .concerned = concerned_by(findings)};
    const bool one_port = out.concerned.size() == 1 && out.concerned.front().ports.size() == 1;
    const auto spelled = [&](const std::string& text) {
        return one_port ? text : shared_text(text, first.port, of);
    };
    out.by_cause = findings.size() > 1 && !first.cause.empty();
    out.text = spelled(out.by_cause ? first.cause : first.text);
    out.remedy = spelled(first.remedy);
    return out;
}

}  // namespace

std::string likeness_of(const Finding& finding, const std::string& name) {
    std::string out(word(finding.level));
    return out + '\n' + (finding.cause.empty() ? name + '\n' + finding.text : finding.cause);
}

/// Why a port is not ready says of what it speaks.
std::string subject_of(const Finding& finding) {
    if (core::is_of_readiness(finding)) return {};
    const core::Field* field = core::find_field(finding.key);
    return field == nullptr ? finding.key : core::element_name(*field, finding.element);
}

std::vector<Reported> reported(const std::vector<Finding>& findings, const Grouping& of) {
    std::vector<std::vector<const Finding*>> groups;
    std::map<std::string, std::size_t> places;
    for (const Finding& finding : findings) {
        const std::string alike = shared_text(
            likeness_of(finding, subject_of(finding)) + '\n' + finding.remedy, finding.port, of);
        const auto [place, fresh] = places.try_emplace(alike, groups.size());
        if (fresh || !of.group_ports)
            groups.push_back({&finding});
        else
            groups[place->second].push_back(&finding);
    }
    std::vector<Reported> out;
    for (const auto& group : groups) {
        Reported one = reported_once(group, of);
        // What is fixed by the same stands together, and that is reported once.
        const auto fixed_so = [&](const Reported& other) {
            return of.group_ports && !one.remedy.empty() && other.remedy == one.remedy &&
                   other.level == one.level;
        };
        const auto last = std::find_if(out.rbegin(), out.rend(), fixed_so);
        if (last == out.rend()) {
            out.push_back(std::move(one));
        } else {
            last->remedy.clear();
            out.insert(last.base(), std::move(one));
        }
    }
    return out;
}

}  // namespace cli
