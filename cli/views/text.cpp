// SPDX-License-Identifier: Apache-2.0
#include "cli/views/text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/plan/judge.hpp"

namespace cli {
namespace {

using core::Change;
using core::Disruption;
using core::Finding;
using core::Plan;
using core::Step;

/// `all 0` for a list that says the same of every priority or class.
template <typename Items>
bool uniform(const Items& items) {
    return items.size() == core::kPriorities &&
           std::ranges::adjacent_find(items, std::not_equal_to{}) == items.end();
}

std::string value_text(const std::optional<core::Value>& value) {
    if (!value) return "none";
    if (const auto* words = std::get_if<core::Words>(&*value); words != nullptr && uniform(*words))
        return "all " + words->front();
    if (const auto* numbers = std::get_if<core::Numbers>(&*value);
        numbers != nullptr && uniform(*numbers))
        return "all " + std::to_string(numbers->front());
    return core::text(*value);
}

std::string before_text(const Change& change) {
    return change.before_unknown ? "unknown" : value_text(change.before);
}

std::string cost_of(const Step& step) {
    return std::string(word(step.disruption)) + (step.irreversible ? ", irreversible" : "");
}

/// `name  (driver)`
std::string port_heading(const std::string& name, const core::State& state, const Style& style) {
    const core::Port* port = core::find_port(state, name);
    std::string line = style.bold(name);
    if (port != nullptr && port->device && !port->device->driver.empty())
        line += style.faint("  (" + port->device->driver + ")");
    return line + '\n';
}

std::string port_changes(const Plan& plan, const std::string& port, const Style& style) {
    std::vector<Row> rows;
    for (const Step& step : plan.steps) {
        if (step.port != port) continue;
        for (const Change& change : step.changes)
            rows.push_back({core::element_name(*change.field, change.element),
                            before_text(change) + " → " + value_text(change.after),
                            style.faint(text(change.origin)), cost_of(step)});
    }
    return table(folded(rows, 0), "  ");
}

std::size_t changes_in(const std::vector<Step>& steps) {
    std::size_t changes = 0;
    for (const Step& step : steps)
        changes += step.changes.size();
    return changes;
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

std::string join(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::string loss(Disruption disruption) {
    switch (disruption) {
        case Disruption::none: return {};
        case Disruption::queues: return "queues are made anew on ";
        case Disruption::link: return "link is lost on ";
        case Disruption::reload: return "driver is reloaded on ";
        case Disruption::reset: return "device is reset on ";
        case Disruption::reboot: return "reboot is needed for ";
    }
    return {};
}

/// What the worst step does to each port: `link is lost on sim0, sim1`.
std::string losses(const std::vector<Step>& steps) {
    std::map<std::string, Disruption> worst;
    for (const Step& step : steps)
        worst[step.port] = std::max(worst[step.port], step.disruption);
    std::map<Disruption, std::vector<std::string>, std::greater<>> ports;
    for (const auto& [port, disruption] : worst)
        ports[disruption].push_back(port);
    std::string out;
    for (const auto& [disruption, names] : ports)
        if (disruption != Disruption::none) out += "; " + loss(disruption) + join(names);
    return out;
}

std::size_t failures_in(const std::vector<Finding>& findings) {
    return static_cast<std::size_t>(
        std::ranges::count(findings, Finding::Level::failure, &Finding::level));
}

std::string plan_summary(const Plan& plan, const Style& style) {
    if (const std::size_t failures = failures_in(plan.findings); failures > 0)
        return style.bad("cannot be applied: " + count(failures, "failure"));
    if (plan.steps.empty())
        return satisfied(plan) ? style.good("nothing to change")
                               : style.bad("nothing to change, but not everything could be read");
    return style.bold(count(changes_in(plan.steps), "change") + " on " +
                      places(ports_in(plan.steps))) +
           losses(plan.steps);
}

std::string level_text(Finding::Level level, const Style& style) {
    const std::string word(core::word(level));
    return level == Finding::Level::note ? style.faint(word) : style.bad(word);
}

bool is_wished(const core::Wishes& wishes, const std::string& port, const core::Field& field,
               std::string_view element) {
    const auto wish = [&](const core::Wish& w) {
        return w.port == port && w.field == &field && w.element == element;
    };
    const auto exact = [&](const core::Exact& e) { return e.port == port && e.field == &field; };
    return std::ranges::any_of(wishes.wishes, wish) || std::ranges::any_of(wishes.exact, exact);
}

/// The wishes that the host holds: an optional one may be unmet where everything is as wished.
std::size_t held(const Plan& plan, const core::Wishes& wishes) {
    const auto holds = [&plan](const core::Wish& wish) {
        const core::Port* port = core::find_port(plan.before, wish.port);
        return port != nullptr && core::holds(*port, wish);
    };
    return static_cast<std::size_t>(std::ranges::count_if(wishes.wishes, holds));
}

std::string outcome_text(const core::Outcome& outcome) {
    if (!outcome.text.empty()) return outcome.text;
    return outcome.step.port + ": " + std::string(core::row_of(outcome.step.object).name);
}

std::string failed_outcomes(const std::vector<core::Outcome>& outcomes, const Style& style) {
    std::string out;
    for (const core::Outcome& outcome : outcomes)
        if (outcome.result != core::Outcome::Result::applied)
            out += style.bad("failed") + ": " + outcome_text(outcome) + '\n';
    return out;
}

std::vector<Row> difference_rows(const Plan& plan, const Style& style) {
    std::vector<Row> rows{{"PORT", "SETTING", "EXPECTED", "FOUND", "ORIGIN"}};
    for (const Step& step : plan.steps)
        for (const Change& change : step.changes)
            rows.push_back({step.port, core::element_name(*change.field, change.element),
                            value_text(change.after), before_text(change),
                            style.faint(text(change.origin))});
    return folded(rows, 1);
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
    std::string out;
    for (const Finding& finding : findings) {
        out += level_text(finding.level, style) + ": ";
        if (!finding.port.empty()) out += finding.port + ": ";
        if (!finding.key.empty()) out += finding.key + ": ";
        out += finding.text + '\n';
        if (!finding.remedy.empty()) out += "  remedy: " + finding.remedy + '\n';
    }
    return out;
}

std::string plan_text(const Plan& plan, const Style& style) {
    std::string out;
    std::set<std::string> shown;
    for (const Step& step : plan.steps) {
        if (!shown.insert(step.port).second) continue;
        out += port_heading(step.port, plan.before, style) + port_changes(plan, step.port, style);
    }
    return out + findings_text(plan.findings, style) + plan_summary(plan, style) + '\n';
}

std::string unmanaged_text(const Plan& plan, const core::Wishes& wishes, const Style& style) {
    std::string out;
    for (const std::string& name : wishes.ports) {
        const core::Port* port = core::find_port(plan.before, name);
        if (port == nullptr) continue;
        std::vector<Row> rows;
        for (const core::Field& field : core::fields()) {
            if (field.use != core::Field::Use::setting) continue;
            for (const auto& [element, value] : field.get(*port).value_or(core::Elements{}))
                if (!is_wished(wishes, name, field, element) &&
                    !core::made_by_kernel(*port, field, element))
                    rows.push_back({core::element_name(field, element), core::text(value)});
        }
        if (!rows.empty()) out += "unmanaged on " + style.bold(name) + '\n' + table(rows, "  ");
    }
    return out;
}

std::string verify_text(const Plan& plan, const core::Wishes& wishes, const Style& style) {
    std::string out;
    if (!plan.steps.empty()) out += table(difference_rows(plan, style));
    out += findings_text(plan.findings, style);
    const std::string ports = places({wishes.ports.begin(), wishes.ports.end()});
    if (satisfied(plan))
        return out + style.good("as wished") + ": " + count(held(plan, wishes), "value") + " on " +
               ports + '\n';
    const std::size_t failures = failures_in(plan.findings);
    if (plan.steps.empty() && failures == 0)
        return out + style.bad("not known") + " on " + ports + '\n';
    out += style.bad("differs");
    if (!plan.steps.empty())
        out +=
            ": " + count(changes_in(plan.steps), "value") + " on " + places(ports_in(plan.steps));
    if (failures > 0) out += (plan.steps.empty() ? ": " : "; ") + count(failures, "failure");
    return out + '\n';
}

std::string report_text(const core::Report& report, const Style& style) {
    std::string out = failed_outcomes(report.outcomes, style);
    if (report.interrupted) out += style.bad("interrupted") + '\n';
    if (report.status == core::Status::done)
        return out + findings_text(report.surprises, style) + style.good("applied and verified") +
               ": " + count(changes_in(report.plan.steps), "change") + " on " +
               places(ports_in(report.plan.steps)) +
               (report.surprises.empty() ? "" : "; not foreseen is what stands above") + '\n';
    const bool wrote_all = failed_outcomes(report.outcomes, {}).empty() && !report.interrupted;
    if (wrote_all && !report.remaining.steps.empty())
        out += "differs after the last write:\n" +
               table(difference_rows(report.remaining, style), "  ");
    out += findings_text(report.remaining.findings, style) + failed_outcomes(report.undone, style);
    if (report.status == core::Status::left_changed)
        return out + findings_text(report.left_changed, style) +
               style.bad("the way back failed: this host needs a person") + '\n';
    return out + style.bold("brought back") + ": every setting reads as before\n";
}

std::string rollback_text(const core::Report& report, const std::string& before,
                          const Style& style) {
    std::string out = findings_text(report.surprises, style);
    if (report.status == core::Status::done)
        return out + style.good("rolled back and verified") + ": " + before + '\n';
    return out + failed_outcomes(report.outcomes, style) +
           findings_text(report.left_changed, style) +
           style.bad("the way back failed: this host needs a person") + '\n';
}

}  // namespace cli
