// SPDX-License-Identifier: Apache-2.0
#include "core/plan/readiness.hpp"

#include <algorithm>
#include <cerrno>

#include "core/checks/catalogue.hpp"
#include "core/plan/judge.hpp"

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

/// What the fact lacks if the port has the desired value: empty where it follows as it should;
/// nothing where that is not known.
std::optional<std::string> missing(const State& state, const Reading& now, const Desired& desired,
                                   const Field& fact) {
    const Proof& proof = *fact.proves;
    if (!desired.value || !follows_from(fact, *desired.field) || !holds(now, desired))
        return std::nullopt;
    if (made_by_kernel(now, *desired.field, desired.element)) return std::nullopt;
    if (!proof.after.empty() && element_of(now, *find_field(proof.after), "") != Value(true))
        return std::nullopt;
    return proof.missing(state, now.port(), *desired.value);
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
        if (level == Finding::Level::note) one.finding.level = level;
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

}  // namespace core
