// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/planner.hpp"

// Findings about desired values that a plan cannot meet.

namespace core {
namespace {

/// The fix for a refusal of the object, or of one that decides whether it can be written.
std::string_view remedy_of(const ObjectRow& row, const Driver& driver, const Port& port) {
    if (row.words.remedy != nullptr) return row.words.remedy(driver, port);
    for (const Object other : row.order.consults)
        if (const auto remedy = row_of(other).words.remedy)
            if (const auto text = remedy(driver, port); !text.empty()) return text;
    return {};
}

/// The step with only this change.
Step only(const Step& step, const Change& change) {
    return {.port = step.port,
            .object = step.object,
            .changes = {change},
            .disruption = step.disruption,
            .irreversible = step.irreversible};
}

using ElementOf = std::pair<const Field*, std::string>;

/// For each named element, why the device would refuse its change alone; elements it accepts are
/// left out. Each is tried apart, so that one is not blamed for another.
std::map<ElementOf, std::string> own_reasons(const Port& port, const Step& step) {
    std::map<ElementOf, std::string> out;
    const ObjectRow& row = row_of(step.object);
    if (row.refuses == nullptr) return out;
    for (const Change& change : step.changes) {
        if (change.field->shape.kind != Shape::Kind::named) continue;
        if (auto reason = row.refuses(driver_of(port), port, target(port, only(step, change))))
            out.try_emplace({change.field, change.element}, std::move(*reason));
    }
    return out;
}

/// Whether a shell reads the text as a single plain word.
bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') ||
               std::string_view(".:_@-").find(c) != std::string_view::npos;
    });
}

/// How to set what rocectl only reads: a command where there is one.
std::string remedy_elsewhere(const Port& port, const Desired& desired) {
    const ObjectRow& row = row_of(desired.field->object);
    if (row.words.by_hand != nullptr && desired.value && is_plain(desired.element) &&
        is_plain(text(*desired.value)))
        return row.words.by_hand(port, desired.element, *desired.value);
    return std::string(remedy_of(row, driver_of(port), port));
}

/// Whether the finding keeps the plan from being applied. What rocectl only reads, or leaves to
/// another program, does not, unless the profile requires it.
bool keeps_from_writing(const Finding& finding) {
    if (finding.id == findings::required) return true;
    if (finding.id == findings::external) return false;
    if (finding.level != Finding::Level::failure) return finding.level != Finding::Level::note;
    const Field* field = find_field(finding.key);
    return field == nullptr || field->use != Field::Use::setting ||
           row_of(field->object).play != nullptr;
}

}  // namespace

/// The desired values of a refused step that the device refuses on their own; all of them where it
/// refuses only the combination.
std::vector<std::size_t> Planner::to_blame(const Candidate& candidate) {
    std::vector<std::size_t> out;
    const Port port = *find_port(predicted_, candidate.step.port);
    std::map<ElementOf, std::vector<Change>> changes;
    for (const Change& change : candidate.step.changes)
        changes[{change.field, change.element}].push_back(change);
    Step alone = candidate.step;
    for (const std::size_t index : candidate.desired_values) {
        alone.changes = changes[{desired_values_[index].field, desired_values_[index].element}];
        Played played = play(predicted_, alone);
        if (played.refusal)
            out.push_back(index);
        else
            take_back(predicted_, port, std::move(played.touched));
    }
    return out.empty() ? candidate.desired_values : out;
}

/// Reports and drops the desired values of a step that cannot be taken. Optional ones are dropped
/// first, as the rest of the object may then be accepted.
void Planner::give_up_step(const Candidate& candidate, bool only_optional) {
    const Port port = *find_port(predicted_, candidate.step.port);
    const Driver& driver = driver_of(port);
    const ObjectRow& row = row_of(candidate.step.object);
    std::string reason;
    if (row.refuses != nullptr)
        reason = row.refuses(driver, port, target(port, candidate.step)).value_or("");
    Played played = play(predicted_, candidate.step);
    if (played.refusal && reason.empty()) reason = played.refusal->text;
    const Reading after = *find_port(predicted_, candidate.step.port);
    const bool not_stored =
        !played.refusal && std::ranges::none_of(candidate.step.changes, [&](const Change& change) {
            return takes_effect(after, change);
        });
    if (!played.refusal) take_back(predicted_, port, std::move(played.touched));
    const std::map<ElementOf, std::string> own = own_reasons(port, candidate.step);
    const auto own_of = [&](std::size_t index) -> std::string {
        const auto found = own.find({desired_values_[index].field, desired_values_[index].element});
        return found == own.end() ? std::string() : found->second;
    };
    const bool each_its_own = std::ranges::any_of(
        candidate.desired_values, [&](std::size_t index) { return !own_of(index).empty(); });
    const bool unexplained = not_stored && reason.empty();
    if (unexplained) reason = "the device answers yes and does not store it";
    const std::string_view remedy = remedy_of(row, driver, port);
    std::vector<std::size_t> blamed = candidate.desired_values;
    if (played.refusal) blamed = to_blame(candidate);
    const auto is_optional = [&](std::size_t index) { return desired_values_[index].optional; };
    if (only_optional && std::ranges::none_of(blamed, is_optional))
        blamed = candidate.desired_values;
    const Reading now = port;
    for (const std::size_t index : blamed) {
        const Desired& desired = desired_values_[index];
        if (each_its_own ? own_of(index).empty() : only_optional && !desired.optional) continue;
        if (each_its_own) reason = own_of(index);
        abandoned_[index] = true;
        Finding finding =
            finding_about(desired, not_stored ? findings::not_stored : findings::infeasible);
        if (reason.empty()) finding.id = findings::contradiction;
        finding.cause = reason.empty() ? "another desired value or the device undoes it" : reason;
        finding.text =
            expected_and_found(now, desired) + " (" + text(desired.origin) + "): " + finding.cause;
        if (!remedy.empty()) finding.remedy = remedy;
        if (unexplained) finding.remedy = driver.doc;
        plan_.findings.push_back(std::move(finding));
    }
}

void Planner::give_up() {
    const bool any_optional = std::ranges::any_of(waiting_, [&](const auto& waiting) {
        return std::ranges::any_of(waiting.second.desired_values, [&](std::size_t index) {
            return desired_values_[index].optional;
        });
    });
    for (const auto& [order, candidate] : waiting_) {
        give_up_step(candidate, any_optional);
        stale_.insert(candidate.step.port);
    }
}

void Planner::report_desired(const Reading& now, std::size_t index) {
    const Desired& desired = desired_values_[index];
    const Port& port = now.port();
    if (!reachable(now, desired) || port.unknown.contains(desired.field->object)) {
        plan_.findings.push_back(as_required(desired, unreachable(now, desired)));
        return;
    }
    const ObjectRow& row = row_of(desired.field->object);
    const bool read_only = row.play == nullptr;
    Finding finding =
        finding_about(desired, read_only ? findings::verified_only : findings::not_stored);
    finding.text = expected_and_found(now, desired) + " (" + text(desired.origin) + ")";
    if (read_only) {
        finding.text += ", and rocectl does not set it";
        finding.remedy = remedy_elsewhere(port, desired);
    } else {
        finding.cause = "the device would not store it";
        finding.text += ": " + finding.cause;
        finding.remedy = driver_of(port).doc;
    }
    plan_.findings.push_back(as_required(desired, std::move(finding)));
}

/// Reports and drops unmet values that other programs set: they are neither written nor waited for.
void Planner::leave_external() {
    Readings readings(predicted_);
    for (std::size_t i = 0; i < desired_values_.size(); ++i) {
        const Desired& desired = desired_values_[i];
        const Reading* port = desired.external ? readings.find(desired.port) : nullptr;
        if (port == nullptr || met(*port, i)) continue;
        abandoned_[i] = true;
        Finding finding = finding_about(desired, findings::external);
        finding.text = expected_and_found(*port, desired) + " (" + text(desired.origin) + ")";
        if (!reachable(*port, desired)) {
            finding = unreachable(*port, desired);
            finding.id = findings::external;
            finding.cause.clear();
        }
        finding.text += ", which is left to another program";
        plan_.findings.push_back(as_required(desired, std::move(finding)));
    }
}

/// Reports facts once at the start: nothing writes them, and they hold up no step.
void Planner::look_at_facts() {
    Readings readings(predicted_);
    for (std::size_t i = 0; i < desired_values_.size(); ++i) {
        const Desired& desired = desired_values_[i];
        const Reading* port = is_of_fact(desired) ? readings.find(desired.port) : nullptr;
        if (port == nullptr) continue;
        abandoned_[i] = true;
        if (met(*port, i)) continue;
        const bool known = reachable(*port, desired);
        Finding finding =
            finding_about(desired, known ? findings::other_fact : findings::unknown_fact);
        finding.text = expected_and_found(*port, desired) + " (" + text(desired.origin) + ")";
        if (!known) finding.text = unreachable(*port, desired).text;
        // An unknown fact that is required is more than a note, but no failure.
        const bool no_pass = !known && desired.required;
        finding.level = no_pass ? Finding::Level::unknown : Finding::Level::note;
        plan_.findings.push_back(as_required(desired, std::move(finding)));
    }
}

void Planner::report_unmet() {
    Readings readings(predicted_);
    for (std::size_t i = 0; i < desired_values_.size(); ++i) {
        const Reading* port = readings.find(desired_values_[i].port);
        // Missing ports were already reported where ports are matched.
        if (port == nullptr || abandoned_[i] || met(*port, i) || waits(*port, i)) continue;
        report_desired(*port, i);
    }
    for (std::size_t i = 0; i < desired_values_.size(); ++i) {
        const Desired& desired = desired_values_[i];
        const auto already_so = row_of(desired.field->object).already_so;
        if (already_so == nullptr || !desired.value || is_of_fact(desired)) continue;
        const Port* port = find_port(predicted_, desired.port);
        if (port == nullptr) continue;
        const auto reason = already_so(*port);
        if (!reason) continue;
        Finding finding = finding_about(desired, findings::moot);
        finding.text = *reason;
        plan_.findings.push_back(std::move(finding));
    }
}

bool satisfied(const Plan& plan) {
    return plan.steps.empty() && std::ranges::all_of(plan.findings, [](const Finding& finding) {
               return finding.level == Finding::Level::note ||
                      finding.level == Finding::Level::accepted;
           });
}

bool feasible(const Plan& plan) {
    return std::ranges::none_of(plan.findings, keeps_from_writing);
}

bool nothing_left(const Plan& plan) {
    return plan.steps.empty() && feasible(plan);
}

}  // namespace core
