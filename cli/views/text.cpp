// SPDX-License-Identifier: Apache-2.0
#include "cli/views/text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "cli/views/port_groups.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/quoted.hpp"
#include "core/boot/judge.hpp"
#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/readiness.hpp"

namespace cli {
namespace {

using core::Disruption;
using core::Finding;
using core::Plan;
using core::Step;

// What changes, and what differs.

constexpr std::size_t kMostOfValues = 28;  // in a row, so that what follows stays on the screen

/// `ens1f0 … (8 ports, mlx5_core)`
std::string block_heading(const Block& block, const Grouping& of, const Style& style) {
    const core::Port* port =
        of.state == nullptr ? nullptr : core::find_port(*of.state, block.ports.front());
    const bool known = port != nullptr && port->device && !port->device->driver.empty();
    return style.bold(ports_text(block.ports, of)) +
           (known ? style.faint("  (" + port->device->driver + ")") : "") + '\n';
}

/// A value that is too long for its row is told in full below it.
struct Rows {
    std::vector<GroupedChange> changes{};
    std::string below{};
};

Rows rows_of(const Block& block, const Style& style, bool expected) {
    Rows out{.changes = style.group_ports ? with_maps_once(block.changes) : block.changes};
    for (GroupedChange& change : out.changes) {
        if (change.before.size() + change.after.size() <= kMostOfValues) continue;
        out.below += "    " +
                     on_one_line(change.name + ": " +
                                 (expected ? "expected " + change.after + ", found " + change.before
                                           : change.before + " → " + change.after)) +
                     '\n';
        for (std::string* value : {&change.before, &change.after})
            if (value->size() > kMostOfValues / 2) *value = "…";
    }
    return out;
}

/// What is not the same on all ports of a block, or in all elements of one port.
std::string own_lines(const Block& block, const Style& style) {
    Row head{""};
    std::vector<Row> rows(block.ports.size());
    std::string out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].push_back(block.ports[i]);
    bool any = false;
    for (const GroupedChange& change : block.changes) {
        if (change.own.empty()) continue;
        if (block.ports.size() == 1) {
            out += "    " + change.name + ", each with\n" +
                   wrapped(change.own, "; ", "      ", style.width);
            continue;
        }
        any = true;
        head.push_back(change.name);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].push_back(change.own[i]);
    }
    if (!any) return out;
    rows.insert(rows.begin(), std::move(head));
    return out + table(rows, "    ", style.width);
}

std::string block_text(const Block& block, const Grouping& of, const Style& style) {
    const auto [changes, below] = rows_of(block, style, false);
    std::vector<Row> rows;
    for (const GroupedChange& change : changes)
        rows.push_back({std::string{mark_of(change), ' '} + change.name,
                        change.before + " → " + change.after, change.cost,
                        style.faint(origin_in_short(change.origin))});
    if (style.group_ports) rows = grouped(rows, 0);
    return block_heading(block, of, style) + table(rows, "", style.width) + below +
           own_lines(block, style);
}

std::string difference_text(const Block& block, const Grouping& of, const Style& style) {
    const auto [changes, below] = rows_of(block, style, true);
    std::vector<Row> rows{{"SETTING", "EXPECTED", "FOUND", "ORIGIN"}};
    for (const GroupedChange& change : changes)
        rows.push_back({change.name, change.after, change.before,
                        style.faint(origin_in_short(change.origin))});
    if (style.group_ports) rows = grouped(rows, 0);
    return block_heading(block, of, style) + table(rows, "  ", style.width) + below +
           own_lines(block, style);
}

}  // namespace

std::string origin_in_short(const core::Origin& origin) {
    if (!is_derived(origin) || !origin.other.empty()) return text(origin);
    return origin.derived_from + " (" + origin.file + ':' + std::to_string(origin.line) + ')';
}

std::string changes_text(const core::Plan& plan, const Style& style) {
    const Grouping of = grouping_of(plan, style.group_ports);
    std::string out;
    for (const Block& block : blocks(plan.steps, of))
        out += block_text(block, of, style);
    return out;
}

std::string differences_text(const core::Plan& plan, const Style& style) {
    const Grouping of = grouping_of(plan, style.group_ports);
    std::string out;
    for (const Block& block : blocks(plan.steps, of))
        out += difference_text(block, of, style);
    return out;
}

// What is found.

namespace {

std::string level_text(Finding::Level level, const Style& style) {
    const std::string word(core::word(level));
    const bool counts = level == Finding::Level::unknown || level == Finding::Level::failure;
    return counts ? style.bad(word) : style.faint(word);
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
    out += "  remedy:";
    std::string_view before = " ";
    for (const Piece& piece : pieces_of(one.remedy)) {
        if (piece.command && before == " ") out += '\n';
        out += piece.command ? paste_line(piece.text)
                             : std::string(before) + on_one_line(piece.text) + '\n';
        before = "    ";
    }
    return out;
}

}  // namespace

std::string line_of(const Finding& finding) {
    const std::string name = subject_of(finding);
    return (finding.port.empty() ? "" : finding.port + ": ") + (name.empty() ? "" : name + ": ") +
           finding.text;
}

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
    return findings_text(findings, Grouping{.group_ports = style.group_ports}, style);
}

std::string findings_text(const std::vector<Finding>& findings, const Grouping& of,
                          const Style& style) {
    std::string out;
    for (const Reported& one : reported(findings, of))
        out += reported_text(one, of, style);
    return out;
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
    return findings_text(plan.findings, grouping_of(plan, style.group_ports), style);
}

// The line that sums up.

namespace {

/// How many settings: a list, or a map of numbers, is one, and so is what several ports have.
std::string settings_text(const std::vector<Step>& steps) {
    std::set<std::string> names;
    for (const Step& step : steps)
        for (const core::Change& change : step.changes)
            names.insert(is_named_apart(*change.field)
                             ? core::element_name(*change.field, change.element)
                             : std::string(change.field->key));
    return count(names.size(), "setting");
}

std::set<std::string> ports_in(const std::vector<Step>& steps) {
    std::set<std::string> ports;
    for (const Step& step : steps)
        ports.insert(step.port);
    return ports;
}

/// `2 ports`, `1 port and the host`.
std::string places(std::set<std::string> names) {
    const bool host = names.erase(std::string(core::kHost)) > 0;
    if (host && names.empty()) return std::string(core::kHost);
    return count(names.size(), "port") + (host ? " and " + std::string(core::kHost) : "");
}

std::string loss(Disruption disruption) {
    switch (disruption) {
        case Disruption::none: return {};
        case Disruption::queues: return "queues are made anew on ";
        case Disruption::unknown: return "what it disrupts is not known on ";
        case Disruption::link: return "link is lost on ";
        case Disruption::reload: return "driver is reloaded on ";
        case Disruption::reset: return "device is reset on ";
        case Disruption::reboot: return "reboot is needed for ";
    }
    return {};
}

/// What the worst step does to each port: `link is lost on sim0, sim1`.
std::string losses(const std::vector<Step>& steps, const Grouping& of) {
    std::map<std::string, Disruption> worst;
    for (const Step& step : steps)
        worst[step.port] = std::max(worst[step.port], step.disruption);
    std::map<Disruption, std::vector<std::string>, std::greater<>> ports;
    std::set<std::string_view> reported;
    for (const Step& step : steps)
        if (reported.insert(step.port).second) ports[worst[step.port]].push_back(step.port);
    std::string out;
    for (const auto& [disruption, names] : ports)
        if (disruption != Disruption::none) out += "; " + loss(disruption) + ports_text(names, of);
    return out;
}

/// What is not as desired, whether the ports are ready or not.
std::vector<Finding> failures_in(const std::vector<Finding>& findings) {
    std::vector<Finding> out = findings;
    std::erase_if(out, [](const Finding& finding) {
        return finding.level != Finding::Level::failure || core::is_of_readiness(finding) ||
               core::boot::is_of_boot(finding);
    });
    return out;
}

/// `16 failures of 2 causes`
std::string failures_text(const Plan& plan, const Style& style) {
    const std::vector<Finding> failures = failures_in(plan.findings);
    const std::size_t causes = reported(failures, grouping_of(plan, style.group_ports)).size();
    return count(failures.size(), "failure") +
           (causes < failures.size() ? " of " + count(causes, "cause") : "");
}

/// Which ports are as desired and not ready, where that counts.
std::string unready_in(const Plan& plan, const Style& style) {
    std::vector<std::string> ports;
    for (const Finding& finding : plan.findings)
        if (core::is_of_readiness(finding) && finding.level != Finding::Level::note &&
            finding.level != Finding::Level::accepted &&
            std::ranges::find(ports, finding.port) == ports.end())
            ports.push_back(finding.port);
    return ports.empty() ? "" : ports_text(ports, grouping_of(plan, style.group_ports));
}

/// What is left once all was written that can be: `; not ready: sim0; 1 value is for others to
/// set`.
std::string left_over(const Plan& plan, const Style& style) {
    const std::string ports = unready_in(plan, style);
    const std::size_t others = failures_in(plan.findings).size();
    return (ports.empty() ? "" : "; not ready: " + ports) +
           (others == 0 ? "" : "; " + count(others, "value") + " for others to set");
}

bool is_of_management(const Finding& finding) {
    return finding.id == core::findings::management_link;
}

/// Whether the finding is about a desired value that is not to be had on the host.
bool is_not_to_be_had(const Finding& finding) {
    return finding.id == core::findings::unsupported ||
           finding.id == core::findings::no_rdma_device || finding.id == core::findings::closed;
}

/// What of the desired values is not to be had, as objects: `: ecn`.
std::string not_to_be_had(const Plan& left) {
    std::set<std::string_view> names;
    for (const Finding& finding : left.findings)
        if (const core::Field* field = core::find_field(finding.key);
            field != nullptr && is_not_to_be_had(finding))
            names.insert(core::row_of(field->object).name);
    std::string out;
    for (const std::string_view name : names)
        out += (out.empty() ? ": " : ", ") + std::string(name);
    return out;
}

bool is_desired(const core::DesiredState& desired_values, const std::string& port,
                const core::Field& field, std::string_view element) {
    const auto desired = [&](const core::Desired& w) {
        return w.port == port && w.field == &field && w.element == element;
    };
    const auto exact = [&](const core::Exact& e) { return e.port == port && e.field == &field; };
    return std::ranges::any_of(desired_values.desired_values, desired) ||
           std::ranges::any_of(desired_values.exact, exact);
}

/// `52 values`; where not all are held, `51 of 52 values`.
std::string held_text(const core::Tally& tally) {
    if (tally.held == tally.desired) return count(tally.held, "value");
    return std::to_string(tally.held) + " of " + count(tally.desired, "value");
}

/// Why not all are: `, 1 optional not held`.
std::string not_held_text(const core::Tally& tally) {
    const std::size_t others = tally.desired - tally.held - tally.optional;
    std::string out;
    if (tally.optional > 0) out += ", " + std::to_string(tally.optional) + " optional not held";
    if (others > 0) out += ", " + std::to_string(others) + " not supported here";
    return out;
}

/// `; 51 of 52 values match, 1 optional not held`, where there is one, or one not supported here;
/// without what is left for others.
std::string unmet_text(core::Tally tally, const Plan& left) {
    const std::size_t not_supported = tally.desired - tally.held - tally.optional;
    tally.desired -= std::min(failures_in(left.findings).size(), not_supported);
    const std::string not_held = not_held_text(tally);
    if (not_held.empty()) return {};
    const bool named = tally.desired > tally.held + tally.optional;
    return "; " + held_text(tally) + " match" + not_held + (named ? not_to_be_had(left) : "");
}

std::string outcome_text(const core::Outcome& outcome) {
    if (!outcome.text.empty()) return outcome.text;
    return outcome.step.port + ": " + std::string(core::row_of(outcome.step.object).name);
}

std::string failed_outcomes(const std::vector<core::Outcome>& outcomes, const Style& style) {
    std::string out;
    for (const core::Outcome& outcome : outcomes)
        if (outcome.result != core::Outcome::Result::applied && !outcome.optional)
            out += style.bad("failed") + ": " + on_one_line(outcome_text(outcome)) + '\n';
    return out;
}

/// Of what remains after a success, what the plan did not show, and what could not be held.
std::vector<Finding> left_findings(const core::Report& report) {
    std::vector<Finding> out = report.remaining.findings;
    std::erase_if(out, [](const Finding& finding) {
        return finding.level == Finding::Level::note && !core::is_of_readiness(finding) &&
               finding.id != core::findings::forgone && !is_not_to_be_had(finding);
    });
    return out;
}

/// `; 2 findings accepted`, where there are some.
std::string accepted_in(const Plan& plan) {
    const auto number =
        std::ranges::count(plan.findings, Finding::Level::accepted, &Finding::level);
    return number == 0 ? ""
                       : "; " + count(static_cast<std::size_t>(number), "finding") + " accepted";
}

/// What holds now, in a line.
std::string verify_summary(const Plan& plan, const core::DesiredState& desired_values,
                           const Style& style) {
    const std::string ports = places({desired_values.ports.begin(), desired_values.ports.end()});
    const core::Tally tally = core::tally(desired_values, plan.before);
    const std::string held = held_text(tally) + " match on " + ports + not_held_text(tally);
    if (satisfied(plan)) return style.good("ok") + ": " + held + accepted_in(plan);
    const std::string waiting = unready_in(plan, style);
    const std::size_t failures = failures_in(plan.findings).size();
    if (plan.steps.empty() && failures == 0)
        return waiting.empty()
                   ? style.bad("not known") + " on " + ports
                   : style.bad("not ready") + ": " + waiting + "; " + held + accepted_in(plan);
    std::string out = style.bad("differs");
    if (!plan.steps.empty())
        out += ": " + settings_text(plan.steps) + " on " + places(ports_in(plan.steps));
    if (failures > 0) out += (plan.steps.empty() ? ": " : "; ") + failures_text(plan, style);
    if (!waiting.empty()) out += "; not ready: " + waiting;
    return out + accepted_in(plan);
}

/// What --persistent adds to it.
std::string after_boot_text(const Plan& plan, const Style& style) {
    std::size_t otherwise = 0, unknown = 0, all = 0;
    for (const Finding& finding : plan.findings) {
        if (!core::boot::is_of_boot(finding)) continue;
        ++all;
        otherwise += finding.level == Finding::Level::failure ? 1 : 0;
        unknown += finding.level == Finding::Level::unknown ? 1 : 0;
    }
    if (all == 0) return {};
    if (otherwise == 0 && unknown == 0) return "; " + style.good("after a reboot too");
    std::string out = "; " + style.bad("after a reboot") + ": ";
    if (otherwise > 0) out += count(otherwise, "value") + " otherwise";
    if (unknown > 0) out += (otherwise > 0 ? ", " : "") + std::to_string(unknown) + " not known";
    return out;
}

}  // namespace

std::string plan_summary(const Plan& plan, const Style& style) {
    if (!failures_in(plan.findings).empty() && !feasible(plan))
        return style.bad("cannot be applied: " + failures_text(plan, style));
    if (plan.steps.empty() && !feasible(plan))
        return style.bad("nothing to change, but not everything could be read");
    if (!feasible(plan))
        return style.bad("cannot be applied: what is to be written could not all be read");
    if (plan.steps.empty()) return style.good("nothing to change") + left_over(plan, style);
    return style.bold(places(ports_in(plan.steps)) + ", " + settings_text(plan.steps)) +
           losses(plan.steps, grouping_of(plan, style.group_ports)) + left_over(plan, style);
}

std::string management_text(const Plan& plan, const Style& style) {
    std::vector<Finding> first = plan.findings;
    std::erase_if(first, [](const Finding& finding) { return !is_of_management(finding); });
    return findings_text(first, grouping_of(plan, style.group_ports), style);
}

std::string plan_text(const Plan& plan, const Style& style) {
    std::vector<Finding> rest = plan.findings;
    std::erase_if(rest, is_of_management);
    return fitted(management_text(plan, style) + changes_text(plan, style) +
                      findings_text(rest, grouping_of(plan, style.group_ports), style) +
                      plan_summary(plan, style) + '\n',
                  style.width);
}

std::string unmanaged_text(const Plan& plan, const core::DesiredState& desired_values,
                           const Style& style) {
    std::string out;
    for (const std::string& name : desired_values.ports) {
        const core::Port* port = core::find_port(plan.before, name);
        if (port == nullptr) continue;
        std::vector<Row> rows;
        for (const core::Field& field : core::fields()) {
            if (field.use != core::Field::Use::setting) continue;
            for (const auto& [element, value] : field.get(*port).value_or(core::Elements{}))
                if (!is_desired(desired_values, name, field, element) &&
                    !core::made_by_kernel(*port, field, element))
                    rows.push_back({core::element_name(field, element), core::text(value)});
        }
        if (!rows.empty())
            out += "unmanaged on " + style.bold(name) + '\n' + table(rows, "  ", style.width);
    }
    return out;
}

std::string verify_text(const Plan& plan, const core::DesiredState& desired_values,
                        const Style& style) {
    Plan now = plan;
    std::erase_if(now.findings, core::boot::is_of_boot);
    return fitted(differences_text(plan, style) + plan_findings_text(plan, style) +
                      verify_summary(now, desired_values, style) + after_boot_text(plan, style) +
                      '\n',
                  style.width);
}

std::string unchanged_text(const core::Report& report, const Style& style) {
    return fitted(plan_findings_text(report.remaining, style) + "nothing changed" +
                      unmet_text(report.tally, report.remaining) +
                      left_over(report.remaining, style) + '\n',
                  style.width);
}

namespace {

std::string report_lines(const core::Report& report, const Style& style) {
    std::string out = failed_outcomes(report.outcomes, style);
    if (report.interrupted) out += style.bad("interrupted") + '\n';
    if (report.status == core::Status::done || report.status == core::Status::differs)
        return out + findings_text(report.surprises, style) +
               findings_text(left_findings(report),
                             grouping_of(report.remaining, style.group_ports), style) +
               style.good("applied and verified") + ": " + places(ports_in(report.plan.steps)) +
               ", " + settings_text(report.plan.steps) +
               unmet_text(report.tally, report.remaining) + left_over(report.remaining, style) +
               (report.surprises.empty() ? "" : "; not foreseen is what stands above") + '\n';
    const bool wrote_all = failed_outcomes(report.outcomes, {}).empty() && !report.interrupted;
    if (wrote_all && !report.remaining.steps.empty())
        out += "differs after the last write:\n" + differences_text(report.remaining, style);
    out += plan_findings_text(report.remaining, style) + failed_outcomes(report.undone, style);
    if (report.status == core::Status::left_changed)
        return out + findings_text(report.left_changed, style) +
               style.bad("rollback failed: what stands above is to be set right by hand") + '\n';
    return out + style.bold("brought back") + ": every setting reads as before\n";
}

std::string rollback_lines(const core::Report& report, const std::string& before,
                           const Style& style) {
    std::string out = findings_text(report.surprises, style);
    if (report.status == core::Status::done)
        return out + style.good("rolled back and verified") + ": " + on_one_line(before) + '\n';
    return out + failed_outcomes(report.outcomes, style) +
           findings_text(report.left_changed, style) +
           style.bad("rollback failed: what stands above is to be set right by hand") + '\n';
}

}  // namespace

std::string report_text(const core::Report& report, const Style& style) {
    return fitted(report_lines(report, style), style.width);
}

std::string rollback_text(const core::Report& report, const std::string& before,
                          const Style& style) {
    return fitted(rollback_lines(report, before, style), style.width);
}

}  // namespace cli
