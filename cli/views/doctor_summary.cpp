// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "cli/views/doctor.hpp"
#include "cli/views/doctor_lines.hpp"
#include "cli/views/printable.hpp"
#include "core/model/shell.hpp"

// What stands below the causes: what could not be known, and how many checks ended how.

namespace cli {
namespace {

using core::Check;
using core::Suspect;
using core::Verdict;

class DoctorSummary {
public:
    DoctorSummary(const DoctorView& view, const Style& style) : view_(view), style_(style) {}

    [[nodiscard]] std::string text() const {
        const core::Examination& examination = view_.diagnosis.examination;
        std::string out = unknowns();
        if (examination.ports.empty())
            return out +
                   "no port of this host is one of a RoCE fabric: none has an RDMA device "
                   "that speaks RoCE\n";
        out += count(examination.ports.size(), "port") + ", ";
        out += count(examination.checks.size(), "check") + ':';
        const auto tallied = core::tally(examination);
        for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::unknown,
                                      Verdict::crash, Verdict::pass, Verdict::skip})
            if (const auto number = tallied.find(verdict); number != tallied.end())
                out += ' ' + counted(verdict, number->second) + ',';
        out.back() = view_.profile.empty() ? ';' : '\n';
        if (!view_.profile.empty()) return out;
        out += " checked against what every RoCE v2 host needs, no profile was given\n";
        if (!examination.left_out.empty())
            out += "left out: " + ports_text(examination.left_out, Grouping{}) +
                   ", with the default route, which others of the ports have not\n";
        for (const std::string& found : view_.profiles)
            out += "profile found: rocectl doctor " + core::shell(found) + '\n';
        return out;
    }

private:
    /// What makes known what is not for this reason: lines to type, else what tells by itself.
    [[nodiscard]] std::string openings(const std::string& reason) const {
        constexpr std::size_t most = 3;
        std::set<std::string> lines;
        std::set<std::string> tests;
        for (const Check& check : view_.diagnosis.examination.checks) {
            if (check.verdict != Verdict::unknown || check.reason != reason) continue;
            for (const std::string& command : check.opened_by)
                lines.insert(command + "; rocectl doctor");
            if (!check.row->cause.test.empty()) tests.insert(core::test_of(check));
        }
        const std::set<std::string>& reported = lines.empty() ? tests : lines;
        std::string out;
        std::size_t shown = 0;
        for (const std::string& each : reported)
            if (shown < most || !style_.group_ports)
                out += lines_of(shown++ == 0 ? "test" : "", each);
        return out + more_lines(reported.size(), most, style_);
    }

    /// How many of what was found stands with the causes, and is none itself.
    [[nodiscard]] std::size_t follows(Verdict verdict) const {
        std::size_t out = 0;
        for (const Check& check : view_.diagnosis.examination.checks)
            if (check.verdict == verdict &&
                std::ranges::none_of(view_.diagnosis.causes, [&](const Suspect& cause) {
                    return std::ranges::find(cause.checks, &check) != cause.checks.end();
                }))
                ++out;
        return out;
    }

    /// `3 fail, of which 1 follows`
    [[nodiscard]] std::string counted(Verdict verdict, std::size_t number) const {
        std::string out = std::to_string(number) + ' ' + std::string(word(verdict));
        if (verdict != Verdict::fail && verdict != Verdict::warn) return out;
        const std::size_t of = follows(verdict);
        if (of != 0)
            out += " (of which " + std::to_string(of) + (of == 1 ? " follows)" : " follow)");
        return out;
    }

    /// What could not be known is named: it is no pass.
    [[nodiscard]] std::string unknowns() const {
        std::vector<std::pair<std::string, std::set<std::string_view>>> reasons;
        for (const Check& check : view_.diagnosis.examination.checks) {
            if (check.verdict != Verdict::unknown && check.verdict != Verdict::crash) continue;
            auto known = std::ranges::find(
                reasons, check.reason, [](const auto& each) -> const auto& { return each.first; });
            if (known == reasons.end()) known = reasons.insert(reasons.end(), {check.reason, {}});
            known->second.insert(check.row->id);
        }
        std::string out;
        for (const auto& [reason, ids] : reasons) {
            std::string names;
            for (const std::string_view id : ids)
                names += (names.empty() ? "" : ", ") + std::string(id);
            out += "unknown: " + names + ": " + on_one_line(reason) + '\n';
            out += openings(reason);
        }
        return out;
    }

    const DoctorView& view_;
    const Style& style_;
};

}  // namespace

std::string doctor_summary(const DoctorView& view, const Style& style) {
    return DoctorSummary(view, style).text();
}

}  // namespace cli
