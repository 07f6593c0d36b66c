// SPDX-License-Identifier: Apache-2.0
#include "core/plan/saved_plan.hpp"

#include <map>

#include "core/plan/apply.hpp"

namespace core {
namespace {

/// The state reduced to the objects that the steps change or disturb, on their ports.
State touched_by(const std::vector<Step>& steps, const State& whole) {
    std::map<std::string, Objects> touched;
    for (const Step& step : steps) {
        const Port* port = find_port(whole, step.port);
        const Driver& driver = port == nullptr ? *drivers().back() : driver_of(*port);
        const Objects reach = reach_of(driver, step.object);
        touched[step.port].insert(reach.begin(), reach.end());
    }
    State out{.host = whole.host};
    for (const auto& [name, objects] : touched) {
        const Port* port = find_port(whole, name);
        if (port == nullptr) continue;
        Port part(name);
        for (const Object object : objects) {
            copy_part(object, *port, part);
            if (const auto refused = port->refused.find(object); refused != port->refused.end())
                part.refused.insert(*refused);
            if (port->unknown.contains(object)) part.unknown.insert(object);
        }
        out.ports.push_back(std::move(part));
    }
    return out;
}

std::string line_of(const Finding& finding) {
    const Field* field = find_field(finding.key);
    const std::string about =
        field == nullptr ? finding.key : element_name(*field, finding.element);
    return finding.port + ": " + about + (about.empty() ? "" : ": ") + finding.text;
}

bool same(const Change& left, const Change& right) {
    return left.field == right.field && left.element == right.element &&
           left.before == right.before && left.after == right.after &&
           left.before_unknown == right.before_unknown;
}

bool same(const Step& left, const Step& right) {
    if (left.port != right.port || left.object != right.object ||
        left.disruption != right.disruption || left.irreversible != right.irreversible ||
        left.changes.size() != right.changes.size())
        return false;
    for (std::size_t i = 0; i < left.changes.size(); ++i)
        if (!same(left.changes[i], right.changes[i])) return false;
    return true;
}

std::string name_of(const Step& step) {
    return step.port + ": " + std::string(row_of(step.object).name);
}

}  // namespace

std::vector<std::string> changed_since(const SavedPlan& saved, const Plan& plan) {
    std::vector<std::string> out;
    for (const Finding& finding :
         compare(touched_by(saved.steps, saved.before), touched_by(saved.steps, plan.before)))
        out.push_back(line_of(finding));
    if (!out.empty()) return out;
    for (std::size_t i = 0; i < saved.steps.size() || i < plan.steps.size(); ++i) {
        if (i >= plan.steps.size()) {
            out.push_back(name_of(saved.steps[i]) + ": is not to be written any more");
        } else if (i >= saved.steps.size()) {
            out.push_back(name_of(plan.steps[i]) + ": would be written too");
        } else if (!same(saved.steps[i], plan.steps[i])) {
            out.push_back(name_of(saved.steps[i]) + ": would be written in another way");
        }
    }
    return out;
}

}  // namespace core
