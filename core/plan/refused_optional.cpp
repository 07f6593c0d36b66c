// SPDX-License-Identifier: Apache-2.0
#include "core/plan/refused_optional.hpp"

#include <algorithm>

#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/write.hpp"

namespace core {
namespace {

bool same_place(const RefusedOptional& one, const std::string& port, const Change& change) {
    return one.port == port && one.field == change.field && one.element == change.element;
}

/// What came of an attempt replaces what is known of the same values.
void take(std::vector<RefusedOptional>& known, const JournalEntry& entry, const Attempt& attempt) {
    for (const Change& change : attempt.step.changes) {
        const bool applied = attempt.result == Outcome::Result::applied;
        std::erase_if(known, [&](const RefusedOptional& one) {
            return same_place(one, attempt.step.port, change) &&
                   (applied || one.value == change.after);
        });
        if (!applied)
            known.push_back({.port = attempt.step.port,
                             .field = change.field,
                             .element = change.element,
                             .value = change.after,
                             .text = reason_of({.step = attempt.step, .text = attempt.text}),
                             .time = entry.time});
    }
}

bool same_value(const Field& field, const std::optional<Value>& left,
                const std::optional<Value>& right) {
    if (!left || !right) return left.has_value() == right.has_value();
    return canonical(field.shape, *left) == canonical(field.shape, *right);
}

/// Whether the refused value is the desired one, or the one that its object needs to be read.
bool is_about(const RefusedOptional& one, const Desired& desired) {
    if (one.port != desired.port) return false;
    if (row_of(desired.field->object).read.needs == one.field->key) return true;
    return one.field == desired.field && one.element == desired.element &&
           same_value(*desired.field, one.value, desired.value);
}

}  // namespace

std::vector<RefusedOptional> refused_optional(const std::vector<JournalEntry>& entries,
                                              std::string_view boot) {
    std::vector<RefusedOptional> out;
    for (const JournalEntry& entry : entries) {
        if (entry.boot != boot || entry.end != Status::done) continue;
        for (const Attempt& attempt : entry.attempts)
            if (attempt.result && !attempt.undoing) take(out, entry, attempt);
    }
    return out;
}

std::vector<Finding> take_out_refused_optional(DesiredState& desired_values,
                                               const std::vector<RefusedOptional>& refused_optional,
                                               const State& now) {
    std::vector<Finding> out;
    Readings readings(now);
    std::erase_if(desired_values.desired_values, [&](const Desired& stated) {
        if (!stated.optional) return false;
        const Desired desired = with_element(stated);
        const auto known = std::ranges::find_if(
            refused_optional, [&](const RefusedOptional& one) { return is_about(one, desired); });
        const Reading* reading = readings.find(desired.port);
        if (known == refused_optional.end() || reading == nullptr || holds(*reading, desired))
            return false;
        Finding finding = finding_about(desired, findings::forgone);
        finding.text = "refused by the device on " + known->time + ": " + known->text +
                       "; it is optional (" + text(desired.origin) + ")";
        finding.cause = finding.text;
        out.push_back(std::move(finding));
        return true;
    });
    return out;
}

}  // namespace core
