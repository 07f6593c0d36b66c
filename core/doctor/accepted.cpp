// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/accepted.hpp"

#include <algorithm>
#include <optional>

#include "core/model/finding_names.hpp"
#include "core/model/state.hpp"

namespace core {
namespace {

bool is_open(const Check& check) {
    return check.verdict == Verdict::fail || check.verdict == Verdict::warn;
}

const AcceptedFinding* find_accepted(std::span<const AcceptedFinding> accepted,
                                     const FindingRow& row, std::string_view port,
                                     std::span<const NamedFabric> fabrics, std::string_view today) {
    const auto at = std::ranges::find_if(accepted, [&](const AcceptedFinding& one) {
        return one.row == &row && is_about(one, port, fabrics) && !is_over(one, today);
    });
    return at == accepted.end() ? nullptr : &*at;
}

/// Whether what was found here is a consequence of what was found there: on the same port, its bond
/// or a member of it, or on the host.
bool is_consequence(const Check& one, const Check& cause, const Examination& examination) {
    if (&one == &cause || !core::follows_from(one, *cause.row)) return false;
    const auto is_bond_of = [&](const std::string& bond, const std::string& member) {
        const auto at = examination.bonds.find(member);
        return at != examination.bonds.end() && at->second == bond;
    };
    return cause.port == kHost || cause.port == one.port || is_bond_of(cause.port, one.port) ||
           is_bond_of(one.port, cause.port);
}

/// The accepted finding of which this one is a consequence; null where there is none, or it is one
/// of something else too.
const Check* accepted_cause(const Check& one, const Examination& examination) {
    const Check* out = nullptr;
    for (const Check& cause : examination.checks) {
        if (!is_consequence(one, cause, examination)) continue;
        if (is_open(cause)) return nullptr;
        if (cause.verdict == Verdict::accepted) out = &cause;
    }
    return out;
}

void accept_what_follows(Examination& examination) {
    for (bool again = true; again;) {
        again = false;
        for (Check& check : examination.checks) {
            const Check* cause = is_open(check) ? accepted_cause(check, examination) : nullptr;
            if (cause == nullptr) continue;
            check.verdict = Verdict::accepted;
            check.reason = "it follows from " + std::string(cause->row->id);
            again = true;
        }
    }
}

std::string past_text(const AcceptedFinding& accepted) {
    return std::string(accepted.row->id) + ' ' + where(accepted) + " was accepted until " +
           accepted.until + " (" + text(accepted.origin) + "), which is past";
}

Fault stale_fault(std::string text, std::string remedy) {
    return {.text = std::move(text), .remedy = std::move(remedy), .row = &findings::accepted_stale};
}

constexpr std::string_view kLater = "a later day in until, or what fixes the finding";

/// What makes the entry stale; nothing where it is needed, or nobody looked.
std::optional<Fault> stale(const AcceptedFinding& accepted, const Examination& examination,
                           std::span<const NamedFabric> fabrics, std::string_view today) {
    bool looked = false;
    bool about = false;
    bool passed = true;
    for (const Check& check : examination.checks) {
        if (check.row != accepted.row) continue;
        looked = true;
        if (!is_about(accepted, check.port, fabrics)) continue;
        about = true;
        if (!check.faults.empty()) {
            if (!is_over(accepted, today)) return std::nullopt;
            return stale_fault(past_text(accepted), std::string(kLater));
        }
        passed = passed && check.verdict == Verdict::pass;
    }
    if (!looked || !passed) return std::nullopt;
    return stale_fault(std::string(accepted.row->id) + " is accepted " + where(accepted) + " (" +
                           text(accepted.origin) +
                           (about ? "), and is not found there"
                                  : "), and no port that was looked at is one of those"),
                       "accepted without this entry");
}

/// The fabrics with all of their ports: those of the profile's entries, and members of bonds.
std::vector<NamedFabric> named_fabrics(const Examination& examination, const Inquiry& inquiry) {
    std::vector<NamedFabric> out;
    if (inquiry.desired_values != nullptr) out = inquiry.desired_values->fabrics;
    for (NamedFabric& fabric : out)
        for (const ExaminedFabric& examined : examination.fabrics)
            if (examined.name == fabric.name)
                fabric.ports.insert(fabric.ports.end(), examined.ports.begin(),
                                    examined.ports.end());
    return out;
}

}  // namespace

void accept(Examination& examination, const Inquiry& inquiry) {
    if (inquiry.accepted.empty()) return;
    const std::vector<NamedFabric> fabrics = named_fabrics(examination, inquiry);
    for (Check& check : examination.checks) {
        if (!is_open(check)) continue;
        check.accepted =
            find_accepted(inquiry.accepted, *check.row, check.port, fabrics, inquiry.today);
        if (check.accepted == nullptr) continue;
        check.verdict = Verdict::accepted;
        check.reason = text(*check.accepted);
    }
    accept_what_follows(examination);
    if (!is_asked(findings::accepted_stale, inquiry)) return;
    Check check{.row = &findings::accepted_stale, .port = std::string(kHost)};
    for (const AcceptedFinding& one : inquiry.accepted)
        if (auto fault = stale(one, examination, fabrics, inquiry.today))
            check.faults.push_back(*std::move(fault));
    if (!check.faults.empty()) check.verdict = Verdict::warn;
    examination.checks.push_back(std::move(check));
}

void accept(std::vector<Finding>& findings, std::span<const AcceptedFinding> accepted,
            std::span<const NamedFabric> fabrics, std::string_view today) {
    std::vector<const AcceptedFinding*> past;
    for (Finding& finding : findings) {
        if (finding.level == FindingLevel::note) continue;
        const FindingRow& row = finding.id.row();
        if (const auto* one = find_accepted(accepted, row, finding.port, fabrics, today)) {
            finding.level = FindingLevel::accepted;
            finding.remedy.clear();
            for (std::string* words : {&finding.text, &finding.cause})
                if (!words->empty()) *words += "; " + text(*one);
            continue;
        }
        for (const AcceptedFinding& one : accepted)
            if (one.row == &row && is_about(one, finding.port, fabrics) &&
                std::ranges::find(past, &one) == past.end())
                past.push_back(&one);
    }
    for (const AcceptedFinding* one : past)
        findings.push_back({.id = findings::accepted_stale,
                            .level = FindingLevel::note,
                            .text = past_text(*one),
                            .remedy = std::string(kLater),
                            .origin = one->origin});
}

}  // namespace core
