// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/deviations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace core {
namespace {

using Where = std::pair<std::string, std::string>;

/// Of what is said of no value there may be several: a missing port of each of two entries.
Where place_of(const Deviation& deviation) {
    const bool of_value = deviation.change || !deviation.finding->key.empty();
    return {deviation.port,
            of_value ? deviation.name : deviation.name + ' ' + deviation.finding->text};
}

std::string name_of(const Finding& finding) {
    if (finding.key.empty()) return std::string(std::string_view(finding.id));
    return finding.element.empty() ? finding.key : finding.key + ' ' + finding.element;
}

bool counts(const Finding& finding) {
    return finding.level == Finding::Level::failure || finding.level == Finding::Level::unknown;
}

/// Whether the deviation is still about a desired value: only then does its absence from a plan end
/// it.
bool is_desired(const DesiredState& desired_values, const Deviation& deviation) {
    if (deviation.finding && deviation.finding->key.empty()) return true;
    const auto about = [&](const std::string& port, const Field* field) {
        if (port != deviation.port) return false;
        return deviation.change ? field == deviation.change->field
                                : field->key == deviation.finding->key;
    };
    const std::string& element =
        deviation.change ? deviation.change->element : deviation.finding->element;
    return std::ranges::any_of(desired_values.desired_values,
                               [&](const Desired& desired) {
                                   return about(desired.port, desired.field) &&
                                          (element.empty() || desired.element == element);
                               }) ||
           std::ranges::any_of(desired_values.exact,
                               [&](const Exact& exact) { return about(exact.port, exact.field); });
}

bool is_about(const Plan& plan, const Deviation& deviation) {
    return deviation.port == kHost ||
           std::ranges::find(plan.ports, deviation.port) != plan.ports.end();
}

/// The note that says why an optional desired value is left as it is; null where there is none.
const Finding* note_on(const Plan& plan, const Deviation& deviation) {
    const auto found = std::ranges::find_if(plan.findings, [&](const Finding& finding) {
        return finding.level == Finding::Level::note && finding.port == deviation.port &&
               !finding.key.empty() && name_of(finding) == deviation.name;
    });
    return found == plan.findings.end() ? nullptr : &*found;
}

bool is_same(const Deviation& a, const Deviation& b) {
    if (place_of(a) != place_of(b) || a.change.has_value() != b.change.has_value()) return false;
    if (a.change)
        return a.change->before == b.change->before && a.change->after == b.change->after &&
               a.change->before_unknown == b.change->before_unknown;
    return a.finding->id == b.finding->id && a.finding->text == b.finding->text;
}

}  // namespace

std::vector<Deviation> deviations(const Plan& plan) {
    std::vector<Deviation> out;
    for (const Step& step : plan.steps)
        for (const Change& change : step.changes)
            out.push_back({.port = step.port,
                           .name = element_name(*change.field, change.element),
                           .change = change,
                           .object = step.object});
    for (const Finding& finding : plan.findings)
        if (counts(finding))
            out.push_back({.port = finding.port, .name = name_of(finding), .finding = finding});
    return out;
}

std::vector<DeviationChange> Deviations::tell(const DesiredState& desired_values, const Plan& plan,
                                              double seconds) {
    std::map<Where, Standing> before;
    for (Standing& one : standing_)
        before.insert({place_of(one.deviation), std::move(one)});
    standing_.clear();
    std::vector<DeviationChange> changes;
    std::set<Where> reported;
    for (Deviation& now : deviations(plan)) {
        const Where place = place_of(now);
        // Of several that are said of one place, the first: a step that is written in two.
        if (!reported.insert(place).second) continue;
        const auto was = before.find(place);
        const double since = was == before.end() ? seconds : was->second.since;
        if (was == before.end())
            changes.push_back({.kind = DeviationChange::Kind::appeared, .deviation = now});
        else if (!is_same(was->second.deviation, now))
            changes.push_back({.kind = DeviationChange::Kind::changed, .deviation = now});
        if (was != before.end()) before.erase(was);
        const bool all_desired = is_desired(desired_values, now);
        standing_.push_back({.deviation = std::move(now), .since = since, .desired = all_desired});
    }
    for (auto& [place, one] : before) {
        if (one.desired ? !is_desired(desired_values, one.deviation)
                        : !is_about(plan, one.deviation)) {
            standing_.push_back(std::move(one));
            continue;
        }
        DeviationChange change{.kind = DeviationChange::Kind::over,
                               .deviation = one.deviation,
                               .held = seconds - one.since};
        if (const Finding* note = note_on(plan, one.deviation)) {
            change.kind = DeviationChange::Kind::refused_optional;
            change.deviation.finding = *note;
        }
        changes.push_back(std::move(change));
    }
    std::ranges::stable_sort(changes, {}, &DeviationChange::kind);
    return changes;
}

bool Deviations::any_known() const {
    return std::ranges::any_of(standing_, [](const Standing& one) {
        return !one.deviation.finding || one.deviation.finding->level == Finding::Level::failure;
    });
}

bool Deviations::any_fixable() const {
    return std::ranges::any_of(
        standing_, [](const Standing& one) { return one.deviation.change.has_value(); });
}

void FlapGuard::wrote(const std::vector<Step>& steps, double seconds) {
    for (const Step& step : steps)
        for (const Change& change : step.changes) {
            auto& times = writes_[{step.port, element_name(*change.field, change.element)}];
            std::erase_if(times,
                          [&](double time) { return time < seconds - kBounds.back().within; });
            if (times.empty() || times.back() != seconds) times.push_back(seconds);
        }
}

void FlapGuard::lost(const std::string& port) {
    std::erase_if(writes_, [&](const auto& one) { return one.first.first == port; });
}

std::optional<Overwritten> FlapGuard::hopeless(const std::vector<Step>& steps,
                                               double seconds) const {
    for (const Step& step : steps)
        for (const Change& change : step.changes) {
            const auto of = writes_.find({step.port, element_name(*change.field, change.element)});
            if (of == writes_.end()) continue;
            for (const Bound& bound : kBounds) {
                const auto recent = std::ranges::find_if(
                    of->second, [&](double time) { return time >= seconds - bound.within; });
                const auto writes = static_cast<unsigned>(of->second.end() - recent);
                if (writes >= bound.writes)
                    return Overwritten{.port = of->first.first,
                                       .name = of->first.second,
                                       .seconds = seconds - *recent,
                                       .writes = writes};
            }
        }
    return std::nullopt;
}

}  // namespace core
