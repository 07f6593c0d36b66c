// SPDX-License-Identifier: Apache-2.0
#include "core/plan/readiness.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/write.hpp"

namespace core {

bool follows_from(const Field& fact, const Field& setting) {
    return fact.proves != nullptr &&
           std::ranges::find(fact.proves->from, setting.key) != fact.proves->from.end();
}

namespace {

/// The facts that prove settings, ordered so that those others wait for come first.
const std::vector<const Field*>& facts() {
    static const std::vector<const Field*> all = [] {
        std::vector<const Field*> out;
        for (const Field& field : fields())
            if (field.proves != nullptr) out.push_back(&field);
        std::ranges::stable_sort(out, {},
                                 [](const Field* field) { return !field->proves->after.empty(); });
        return out;
    }();
    return all;
}

/// The refusal to read the fact; nothing where it was read, or the port does not have it
/// (EOPNOTSUPP).
std::optional<Refusal> not_reported(const Port& port, const Field& fact) {
    const auto refused = port.refused.find(fact.object);
    if (refused == port.refused.end() || refused->second.code == EOPNOTSUPP) return std::nullopt;
    return refused->second;
}

/// Whether the fact follows from the desired value, and there is reason to expect it now: the port
/// has the value, nothing else has to come first.
bool is_due(const Reading& now, const Desired& desired, const Field& fact) {
    const Proof& proof = *fact.proves;
    if (!desired.value || !follows_from(fact, *desired.field) || !holds(now, desired)) return false;
    if (made_by_kernel(now, *desired.field, desired.element)) return false;
    return proof.after.empty() || element_of(now, *find_field(proof.after), "") == Value(true);
}

/// What the fact lacks if the port has the desired value: empty where it follows as it should;
/// nothing where that is not known.
std::optional<std::string> missing(const State& state, const Reading& now, const Desired& desired,
                                   const Field& fact) {
    if (!is_due(now, desired, fact)) return std::nullopt;
    return fact.proves->missing(state, now.port(), *desired.value);
}

std::optional<Finding> finding_of(const State& state, const Reading& now, const Desired& desired,
                                  const Field& fact) {
    const Port& port = now.port();
    Finding out{.id = *fact.proves->finding, .port = port.name, .key = std::string(fact.key)};
    if (desired.value && holds(now, desired))
        if (const auto why = not_reported(port, fact)) {
            out.id = findings::unreadable;
            out.level = out.id.row().level;
            out.text = "whether it is ready is not known: " + text(*why);
            return out;
        }
    const auto what = missing(state, now, desired, fact);
    if (!what && fact.proves->unrecorded != nullptr && is_due(now, desired, fact) &&
        fact.proves->unrecorded(state, port)) {
        out.id = findings::unrecorded;
        out.level = out.id.row().level;
        out.text = "whether it is ready is not known: " + not_recorded(fact);
        return out;
    }
    if (!what || what->empty()) return std::nullopt;
    out.text = "not ready: " + *what;
    out.remedy = out.id.row().remedy;
    return out;
}

}  // namespace

bool proves_anything(const Field& setting) {
    return std::ranges::any_of(facts(),
                               [&](const Field* fact) { return follows_from(*fact, setting); });
}

Objects proofs_of(const DesiredState& desired_values) {
    Objects out;
    for (const Field* fact : facts())
        for (const Desired& desired : desired_values.desired_values)
            if (desired.value && follows_from(*fact, *desired.field)) {
                out.insert(fact->object);
                const auto found_by = row_of(fact->object).read.found_by;
                out.insert(found_by.begin(), found_by.end());
            }
    return out;
}

std::vector<Unready> unready(const DesiredState& desired_values, const State& now) {
    std::vector<Unready> out;
    Readings readings(now);
    for (const Field* fact : facts())
        for (const Desired& stated : desired_values.desired_values) {
            if (!follows_from(*fact, *stated.field)) continue;
            const Desired desired = with_element(stated);
            const Reading* port = readings.find(desired.port);
            if (port == nullptr) continue;
            if (auto finding = finding_of(now, *port, desired, *fact))
                out.push_back({.desired = desired, .fact = fact, .finding = std::move(*finding)});
        }
    return out;
}

std::vector<Finding> not_ready(const DesiredState& desired_values, const State& now,
                               Finding::Level level) {
    OnceEach out;
    for (Unready& one : unready(desired_values, now)) {
        if (level == Finding::Level::note) {
            // A plan does not read all that proves it.
            if (one.finding.id == findings::unrecorded) continue;
            one.finding.level = level;
        }
        out.add(one.finding);
    }
    return std::move(out.findings);
}

void OnceEach::add(const Finding& finding) {
    std::vector<std::size_t>& alike = places_[finding.port + '\n' + finding.text];
    if (std::ranges::any_of(alike, [&](std::size_t i) { return findings[i] == finding; })) return;
    alike.push_back(findings.size());
    findings.push_back(finding);
}

bool proven(const State& state, Readings& readings, const Desired& desired, const Field& fact) {
    const Reading* port = readings.find(desired.port);
    return port != nullptr && missing(state, *port, desired, fact) == std::string();
}

bool is_of_readiness(const Finding& finding) {
    const auto& rows = finding_group::readiness.rows;
    return std::ranges::find(rows, &finding.id.row()) != rows.end();
}

bool tells_ready(const std::vector<Finding>& findings) {
    return std::ranges::none_of(findings, is_of_readiness);
}

namespace {

using PortNames = std::set<std::string>;

bool has_carrier(const State& state, const std::string& name) {
    const Port* port = find_port(state, name);
    return port != nullptr && port->link && port->link->up && port->link->carrier;
}

/// Whether the plan itself takes the port down or deletes it.
bool meant_to_go(const Plan& plan, const std::string& name) {
    const Port* port = find_port(plan.predicted, name);
    return port == nullptr || !port->link || !port->link->up;
}

/// Adds the ports with carrier that the steps up to `end` take the links of.
void add_disturbed(const Plan& plan, std::size_t end, DisturbedLinks& links) {
    for (; links.steps < end; ++links.steps) {
        const Step& step = plan.steps[links.steps];
        if (step.disruption < Disruption::unknown || !has_carrier(plan.before, step.port)) continue;
        links.back.erase(step.port);
        links.away.insert(step.port);
    }
}

/// What may have changed is to be seen again.
void doubt(const std::optional<std::set<std::uint32_t>>& changed, DisturbedLinks& links) {
    if (changed && changed->empty()) return;
    std::erase_if(links.back, [&](const auto& seen) {
        const bool doubtful = !changed || changed->contains(seen.second);
        if (doubtful) links.away.insert(seen.first);
        return doubtful;
    });
}

/// Those that are to have carrier before the plan's step `next`. A bond has none between the step
/// that removes its last member and the one that adds another.
PortNames awaited(const DisturbedLinks& links, const Plan& plan, std::size_t next,
                  const State& foreseen) {
    PortNames names;
    for (const std::string& name : links.away)
        if (name != plan.steps[next].port && !meant_to_go(plan, name) &&
            has_carrier(foreseen, name))
            names.insert(name);
    return names;
}

/// Takes those that have carrier for back.
void note_back(const PortNames& names, const State& now, DisturbedLinks& links) {
    for (const std::string& name : names)
        if (has_carrier(now, name)) {
            links.back[name] = find_port(now, name)->link->index;
            links.away.erase(name);
        }
}

Scope scope_of(const PortNames& names, Objects objects) {
    return {.ports = std::vector<std::string>(names.begin(), names.end()),
            .objects = std::move(objects)};
}

std::string in_seconds(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

std::vector<Finding> without_carrier(const PortNames& names, const State& now,
                                     std::chrono::milliseconds time) {
    std::vector<Finding> out;
    for (const std::string& name : names)
        if (!has_carrier(now, name))
            out.push_back({.id = findings::no_carrier,
                           .port = name,
                           .key = "carrier",
                           .text = "the link has not come back in " + in_seconds(time),
                           .remedy = "--wait gives it more time"});
    return out;
}

/// What the written ports hold after the plan, as desired values: facts that followed from it
/// before must follow again, even if no profile states it.
DesiredState held_after(const Plan& plan) {
    DesiredState out;
    PortNames names;
    for (const Step& step : plan.steps)
        names.insert(step.port);
    for (const std::string& name : names) {
        const Port* port = find_port(plan.predicted, name);
        if (port == nullptr) continue;
        out.ports.push_back(name);
        for (const Field& field : fields())
            if (field.use == Field::Use::setting && proves_anything(field))
                for (const auto& [element, value] : field.get(*port).value_or(Elements{}))
                    out.desired_values.push_back(
                        {.port = name, .field = &field, .element = element, .value = value});
    }
    return out;
}

/// The objects and elements that a plan's steps write, by port.
class Written {
public:
    explicit Written(const Plan& plan) {
        for (const Step& step : plan.steps) {
            OfPort& port = ports_[step.port];
            const auto touches = row_of(step.object).order.touches;
            port.touched.insert(touches.begin(), touches.end());
            for (const Change& change : step.changes) {
                port.fields.insert(change.field);
                port.elements.emplace(change.field, change.element);
            }
        }
    }

    /// Whether the plan writes what the fact follows from, a setting of the fact that must be on
    /// first, or an object that creates the fact's.
    [[nodiscard]] bool brings(const Unready& one) const {
        const auto port = ports_.find(one.desired.port);
        if (port == ports_.end()) return false;
        const Field* after = find_field(one.fact->proves->after);
        return port->second.touched.contains(one.fact->object) ||
               port->second.elements.contains({one.desired.field, one.desired.element}) ||
               (after != nullptr &&
                std::ranges::any_of(port->second.fields, [&](const Field* field) {
                    return follows_from(*after, *field);
                }));
    }

private:
    struct OfPort {
        Objects touched{};
        std::set<const Field*> fields{};
        std::set<std::pair<const Field*, std::string>> elements{};
    };
    std::map<std::string, OfPort> ports_{};
};

/// Divides what is not ready into the run's own and that of others. What is not known is left to
/// others: it may have been so before, and waiting may not make it known.
Readiness judged(const DesiredState& desired_values, const Plan& plan, const State& before,
                 const State& now) {
    OnceEach ours;
    OnceEach others;
    const Written written(plan);
    Readings was(before);
    for (const Unready& one : unready(desired_values, now)) {
        const bool owed = !one.fact->proves->by_other_end && written.brings(one);
        const bool is_ours =
            is_of_readiness(one.finding) && (owed || proven(before, was, one.desired, *one.fact));
        (is_ours ? ours : others).add(one.finding);
    }
    for (const Unready& one : unready(held_after(plan), now))
        if (is_of_readiness(one.finding) && proven(before, was, one.desired, *one.fact))
            ours.add(one.finding);
    return {.ours = std::move(ours.findings), .others = std::move(others.findings)};
}

Scope readiness_scope(const DesiredState& desired_values, const Plan& plan) {
    Scope scope{.ports = desired_values.ports, .objects = inventory()};
    const DesiredState held = held_after(plan);
    for (const DesiredState* some : {&desired_values, &held}) {
        const Objects proofs = proofs_of(*some);
        scope.objects.insert(proofs.begin(), proofs.end());
        for (const Desired& desired : some->desired_values)
            if (proves_anything(*desired.field)) scope.objects.insert(desired.field->object);
    }
    return scope;
}

}  // namespace

std::optional<Finding> await_link(Kernel& kernel, const Plan& plan, std::size_t next,
                                  const State& foreseen, std::chrono::milliseconds time,
                                  Recorder& recorder, DisturbedLinks& links) {
    const Step& step = plan.steps[next];
    if (step.disruption < Disruption::unknown) return std::nullopt;
    add_disturbed(plan, next, links);
    // What changes while others are awaited is looked at too, as long as there is time.
    const auto deadline = kernel.time() + time;
    for (bool known = true; known;) {
        const auto changed = kernel.changed_links();
        known = changed.has_value();
        doubt(changed, links);
        const PortNames names = awaited(links, plan, next, foreseen);
        if (names.empty()) return std::nullopt;
        std::vector<Finding> gone;
        read_until(kernel, scope_of(names, inventory()), deadline - kernel.time(),
                   [&](const State& now) {
                       note_back(names, now, links);
                       gone = without_carrier(names, now, time);
                       if (!gone.empty()) recorder.waiting(gone.front());
                       return gone.empty() || recorder.stop();
                   });
        if (!gone.empty()) return gone.front();
        if (kernel.time() >= deadline) return std::nullopt;
    }
    return std::nullopt;
}

State read_readiness(Kernel& kernel, const DesiredState& desired_values, const Plan& plan) {
    return kernel.read(readiness_scope(desired_values, plan));
}

Readiness await_ready(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                      const State& before, const Waits& waits, Recorder& recorder) {
    Readiness out;
    const auto begin = kernel.time();
    const auto time = waits.settings_only ? std::chrono::milliseconds(0) : waits.wait;
    read_until(kernel, readiness_scope(desired_values, plan), time, [&](const State& now) {
        out = judged(desired_values, plan, before, now);
        if (recorder.stop()) return true;
        if (!out.ours.empty()) recorder.waiting(out.ours.front());
        if (!out.ours.empty() || out.others.empty()) return out.ours.empty();
        recorder.waiting(out.others.front());
        return kernel.time() - begin >= waits.wait_for_others;
    });
    return out;
}

}  // namespace core
