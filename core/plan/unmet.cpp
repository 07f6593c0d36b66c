// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/rows.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/planner.hpp"

// What a plan has to say about the wishes it cannot fulfil.

namespace core {
namespace {

/// What mends a refusal of the object, or of one that decides whether it can be written.
std::string_view remedy_of(const ObjectRow& row, const Driver& driver, const Port& port) {
    if (row.remedy != nullptr) return row.remedy(driver, port);
    for (const Object other : row.consults)
        if (const auto remedy = row_of(other).remedy)
            if (const auto text = remedy(driver, port); !text.empty()) return text;
    return {};
}

bool is_of(const Change& change, const Wish& wish) {
    return change.field == wish.field && change.element == wish.element;
}

/// Why the device takes not this change by itself, for each of the step's: what is named stands
/// apart from its neighbours, so that one of them does not answer for all. Empty where it does.
std::vector<std::string> own_reasons(const Port& port, const Step& step) {
    std::vector<std::string> out(step.changes.size());
    const ObjectRow& row = row_of(step.object);
    if (row.refuses == nullptr) return out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Change& change = step.changes[i];
        if (change.field->shape.kind != Shape::Kind::named) continue;
        Step alone = step;
        alone.changes = {change};
        out[i] = row.refuses(driver_of(port), port, target(port, alone)).value_or("");
    }
    return out;
}

/// Nothing that a shell reads as more than a word.
bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') ||
               std::string_view(".:_@-").find(c) != std::string_view::npos;
    });
}

/// What sets that which rocectl only reads, as a command where there is one.
std::string remedy_elsewhere(const Port& port, const Wish& wish) {
    const ObjectRow& row = row_of(wish.field->object);
    if (row.by_hand != nullptr && wish.value && is_plain(wish.element) &&
        is_plain(text(*wish.value)))
        return row.by_hand(port, wish.element, *wish.value);
    return std::string(remedy_of(row, driver_of(port), port));
}

/// What rocectl only reads keeps nothing else from being written.
bool keeps_from_writing(const Finding& finding) {
    if (finding.level != Finding::Level::failure) return finding.level != Finding::Level::note;
    const Field* field = find_field(finding.key);
    return field == nullptr || field->use != Field::Use::setting ||
           row_of(field->object).play != nullptr;
}

}  // namespace

/// The wishes of a refused step that the device would refuse by themselves; all of them where it
/// is only the whole that it does not take.
std::vector<std::size_t> Planner::to_blame(const Candidate& candidate) {
    std::vector<std::size_t> out;
    const Port port = *find_port(predicted_, candidate.step.port);
    for (const std::size_t index : candidate.wishes) {
        Step alone = candidate.step;
        std::erase_if(alone.changes, [&](const Change& change) {
            return change.field != wishes_[index].field || change.element != wishes_[index].element;
        });
        Played played = play(predicted_, alone);
        if (played.refusal)
            out.push_back(index);
        else
            take_back(predicted_, port, std::move(played.touched));
    }
    return out.empty() ? candidate.wishes : out;
}

/// Reports the wishes of a step that cannot be taken. Optional ones go first: without them the
/// rest of the object may be taken.
void Planner::give_up_step(const Candidate& candidate, bool only_optional) {
    const Port port = *find_port(predicted_, candidate.step.port);
    const Driver& driver = driver_of(port);
    const ObjectRow& row = row_of(candidate.step.object);
    std::string reason;
    if (row.refuses != nullptr)
        reason = row.refuses(driver, port, target(port, candidate.step)).value_or("");
    Played played = play(predicted_, candidate.step);
    if (played.refusal && reason.empty()) reason = played.refusal->text;
    const Port& after = *find_port(predicted_, candidate.step.port);
    const bool not_stored =
        !played.refusal && std::ranges::none_of(candidate.step.changes, [&](const Change& change) {
            return takes_effect(after, change);
        });
    if (!played.refusal) take_back(predicted_, port, std::move(played.touched));
    const std::vector<std::string> own = own_reasons(port, candidate.step);
    const auto own_of = [&](std::size_t index) -> std::string {
        for (std::size_t i = 0; i < own.size(); ++i)
            if (is_of(candidate.step.changes[i], wishes_[index])) return own[i];
        return {};
    };
    const bool each_its_own = std::ranges::any_of(
        candidate.wishes, [&](std::size_t index) { return !own_of(index).empty(); });
    const bool unexplained = not_stored && reason.empty();
    if (unexplained) reason = "the device answers yes and does not store it";
    const std::string_view remedy = remedy_of(row, driver, port);
    std::vector<std::size_t> blamed = candidate.wishes;
    if (played.refusal) blamed = to_blame(candidate);
    const auto is_optional = [&](std::size_t index) { return wishes_[index].optional; };
    if (only_optional && std::ranges::none_of(blamed, is_optional)) blamed = candidate.wishes;
    for (const std::size_t index : blamed) {
        const Wish& wish = wishes_[index];
        if (each_its_own ? own_of(index).empty() : only_optional && !wish.optional) continue;
        if (each_its_own) reason = own_of(index);
        abandoned_[index] = true;
        Finding finding =
            finding_about(wish, not_stored ? findings::not_stored : findings::infeasible);
        if (reason.empty()) finding.id = findings::contradiction;
        finding.cause = reason.empty() ? "another wish or the device undoes it" : reason;
        finding.text =
            expected_and_found(port, wish) + " (" + text(wish.origin) + "): " + finding.cause;
        if (!remedy.empty()) finding.remedy = remedy;
        if (unexplained) finding.remedy = driver.doc;
        plan_.findings.push_back(std::move(finding));
    }
}

void Planner::give_up(const std::vector<const Candidate*>& waiting) {
    const bool any_optional = std::ranges::any_of(waiting, [&](const Candidate* candidate) {
        return std::ranges::any_of(candidate->wishes,
                                   [&](std::size_t index) { return wishes_[index].optional; });
    });
    for (const Candidate* candidate : waiting) {
        give_up_step(*candidate, any_optional);
        stale_.insert(candidate->step.port);
    }
}

void Planner::report_wish(const Port& port, std::size_t index) {
    const Wish& wish = wishes_[index];
    if (!reachable(port, wish) || port.unknown.contains(wish.field->object)) {
        plan_.findings.push_back(unreachable(port, wish));
        return;
    }
    const ObjectRow& row = row_of(wish.field->object);
    const bool read_only = row.play == nullptr;
    Finding finding =
        finding_about(wish, read_only ? findings::verified_only : findings::not_stored);
    finding.text = expected_and_found(port, wish) + " (" + text(wish.origin) + ")";
    if (read_only) {
        finding.text += ", and rocectl does not set it";
        finding.remedy = remedy_elsewhere(port, wish);
    } else {
        finding.cause = "the device would not store it";
        finding.text += ": " + finding.cause;
        finding.remedy = driver_of(port).doc;
    }
    plan_.findings.push_back(std::move(finding));
}

/// What another program sets is not waited for, and not written.
void Planner::leave_external() {
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        const Wish& wish = wishes_[i];
        const Port* port = find_port(predicted_, wish.port);
        if (!wish.external || port == nullptr || met(*port, i)) continue;
        abandoned_[i] = true;
        Finding finding = finding_about(wish, findings::external);
        finding.text = expected_and_found(*port, wish) + " (" + text(wish.origin) +
                       "), which is left to another program";
        plan_.findings.push_back(std::move(finding));
    }
}

/// Whether the wish is one for after the reload that the plan ends with: what hangs on the RDMA
/// device may come with it.
bool Planner::waits(const Port& port, std::size_t index) const {
    const Wish& wish = wishes_[index];
    if (!staged_.contains(port.name)) return false;
    const ObjectRow& row = row_of(wish.field->object);
    const auto hangs_on = std::ranges::find(row.found_by, object_of("rdma.device"));
    const bool of_rdma = row.lacks != nullptr && hangs_on != row.found_by.end();
    return of_rdma || reachable(port, wish);
}

/// What else there is to do on a port that a step leaves as nobody can foretell.
void Planner::report_stage(const std::string& name) {
    const Port& port = *find_port(predicted_, name);
    std::size_t count = 0;
    for (std::size_t i = 0; i < wishes_.size(); ++i)
        if (wishes_[i].port == name && !abandoned_[i] && !met(port, i) && waits(port, i)) ++count;
    plan_.findings.push_back({.id = findings::stage,
                              .port = name,
                              .text = "what the port is after the reload cannot be foretold: apply "
                                      "then plans the rest, " +
                                      std::to_string(count) +
                                      " wishes and what the reload took away"});
}

void Planner::report_unmet() {
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        const Port* port = find_port(predicted_, wishes_[i].port);
        // A port that is not there is reported where ports are matched.
        if (port == nullptr || abandoned_[i] || met(*port, i) || waits(*port, i)) continue;
        report_wish(*port, i);
    }
    for (const Wish& wish : wishes_) {
        const Port* port = find_port(predicted_, wish.port);
        const auto moot = row_of(wish.field->object).moot;
        if (port == nullptr || moot == nullptr || !wish.value) continue;
        const auto reason = moot(*port);
        if (!reason) continue;
        Finding finding = finding_about(wish, findings::moot);
        finding.text = *reason;
        plan_.findings.push_back(std::move(finding));
    }
}

bool satisfied(const Plan& plan) {
    return plan.steps.empty() && std::ranges::all_of(plan.findings, [](const Finding& finding) {
               return finding.level == Finding::Level::note;
           });
}

bool feasible(const Plan& plan) {
    return std::ranges::none_of(plan.findings, keeps_from_writing);
}

bool nothing_left(const Plan& plan) {
    return plan.steps.empty() && feasible(plan);
}

}  // namespace core
