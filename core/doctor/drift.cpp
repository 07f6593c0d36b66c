// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/examination.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/model/object.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

/// Why nobody can say whether the desired value is held, or that the device has no interface for
/// what follows from an intent.
std::optional<Finding> unsaid(const Reading& now, const Desired& desired) {
    if (reachable(now, desired)) return std::nullopt;
    Finding why = unreachable(now, desired);
    if (why.level != FindingLevel::note && why.level != FindingLevel::unknown) return std::nullopt;
    return why;
}

void add_unknown(Check& check, const Desired& desired, const Finding& why) {
    check.verdict = Verdict::unknown;
    if (!check.reason.empty()) check.reason += "; ";
    check.reason += element_name(*desired.field, desired.element);
    check.reason += ": ";
    check.reason += why.cause;
}

/// An element of a setting, and the port or host that has it.
using Reported = std::tuple<std::string, const Field*, std::string>;

Reported place_of(Desired desired) {
    if (desired.value) desired.value = canonical(desired.field->shape, *desired.value);
    const bool of_host = row_of(desired.field->object).lives == Lives::host;
    const Desired whole = with_element(std::move(desired));
    return {of_host ? std::string(kHost) : whole.port, whole.field, whole.element};
}

/// The elements that a finding has a fix for.
std::set<Reported> fixed(const std::vector<Check>& found) {
    std::set<Reported> out;
    for (const Check& check : found)
        for (const Fault& fault : check.faults)
            for (const Desired& desired : fault.fix)
                out.insert(place_of(desired));
    return out;
}

/// Of each port what is not there, by what was found on it.
using Gone = std::map<std::string, std::set<Lives>>;

Gone gone(const std::vector<Check>& found) {
    Gone out;
    for (const Check& check : found)
        if (!check.faults.empty() && check.row->cause.without)
            out[check.port].insert(*check.row->cause.without);
    return out;
}

Check drift_of(const Port& port, const std::vector<const Desired*>& desired_values,
               const std::set<Reported>& reported, const std::set<Lives>& without) {
    const Reading now(port);
    Check check{.row = &findings::drift, .port = port.name};
    for (const Desired* desired : desired_values) {
        if (desired->optional || holds(now, *desired) || reported.contains(place_of(*desired)) ||
            without.contains(row_of(desired->field->object).lives))
            continue;
        if (const auto why = unsaid(now, *desired)) {
            if (why->level == FindingLevel::unknown) add_unknown(check, *desired, *why);
            continue;
        }
        check.faults.push_back({.text = element_name(*desired->field, desired->element) + ": " +
                                        expected_and_found(now, *desired),
                                .remedy = std::string(findings::drift.remedy),
                                .at = desired,
                                .row = &findings::drift,
                                .fix = {*desired}});
    }
    if (check.faults.empty()) return check;
    check.verdict = Verdict::fail;
    check.reason.clear();
    return check;
}

}  // namespace

std::vector<Finding> unsupported(const State& now, const DesiredState& desired_values) {
    std::vector<Finding> out;
    for (const Desired& desired : desired_values.desired_values) {
        const Port* port = find_port(now, desired.port);
        if (port == nullptr || desired.optional) continue;
        const Reading reading(*port);
        if (holds(reading, desired)) continue;
        auto why = unsaid(reading, desired);
        if (why && why->level == FindingLevel::note) out.push_back(std::move(*why));
    }
    return out;
}

std::vector<Check> drift(const State& now, const DesiredState& desired_values,
                         const std::vector<Check>& found) {
    const std::set<Reported> reported = fixed(found);
    Gone without = gone(found);
    std::vector<std::string> names = desired_values.ports;
    if (std::ranges::find(names, kHost) == names.end()) names.emplace_back(kHost);
    std::map<std::string, std::vector<const Desired*>> by_port;
    for (const Desired& desired : desired_values.desired_values)
        by_port[desired.port].push_back(&desired);
    std::vector<Check> out;
    for (const std::string& name : names) {
        const Port* port = find_port(now, name);
        if (port != nullptr) out.push_back(drift_of(*port, by_port[name], reported, without[name]));
    }
    return out;
}

}  // namespace core
