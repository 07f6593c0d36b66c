// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor.hpp"

#include <algorithm>

#include "cli/views/doctor_fix.hpp"
#include "cli/views/doctor_lines.hpp"
#include "cli/views/map_text.hpp"
#include "cli/views/port_groups.hpp"
#include "cli/views/printable.hpp"
#include "core/checks/catalogue.hpp"
#include "core/checks/growth.hpp"

namespace cli {
namespace {

using core::Chain;
using core::Check;
using core::Suspect;
using core::Verdict;

std::string verdict_text(Verdict verdict, const Style& style) {
    const std::string text(core::word(verdict));
    if (verdict == Verdict::pass) return style.good(text);
    if (verdict == Verdict::skip) return style.faint(text);
    return style.bad(text);
}

class DoctorText {
public:
    DoctorText(const DoctorView& view, const Style& style)
        : view_(view),
          style_(style),
          of_{.ports = view.diagnosis.examination.ports,
              .state = &view.state,
              .group_ports = style.group_ports} {}

    std::string text() {
        std::string out;
        std::size_t number = 0;
        for (const Suspect& cause : view_.diagnosis.causes)
            out += cause_text(cause, ++number) + '\n';
        if (const std::string last = lasting(view_); !last.empty()) out += lasting_text(last);
        out += chains_text();
        out += changes_text();
        if (view_.all) out += checks_text();
        return out + doctor_summary(view_, style_);
    }

private:
    [[nodiscard]] std::string where(const std::vector<std::string>& ports) const {
        return ports.front() == core::kHost ? std::string(core::kHost)
                                            : on_one_line(ports_text(ports, of_));
    }

    /// Its command on a line of its own.
    static std::string lasting_text(const std::string& last) {
        constexpr std::string_view end = " is what sets it each time";
        const std::size_t from = last.find("; ") + 2;
        const std::string command = last.substr(from, last.size() - from - end.size());
        return last.substr(0, from) + "what sets it each time:\n" + paste_line(command) + '\n';
    }

    /// Each text once, with the ports that it is about where it is not about all of them.
    std::string because(const Suspect& cause) const {
        const std::vector<Reason> said = reasons_of(cause, of_);
        std::string out;
        constexpr std::size_t most = 6;
        for (std::size_t i = 0; i < said.size() && (i < most || !style_.group_ports); ++i) {
            const auto& [text, ports] = said[i];
            const bool of_all = ports.size() >= cause.checks.size();
            out += line_of(i == 0 ? "because" : "", of_all ? text : where(ports) + ": " + text);
        }
        return out + more_lines(said.size(), most, style_);
    }

    /// The lines that fix a fault stand together: the first of them may take away what the next
    /// one replaces.
    [[nodiscard]] std::string fixing_lines(
        const std::vector<std::vector<std::string>>& groups) const {
        constexpr std::size_t most = 3;
        std::string out;
        std::size_t shown = 0;
        std::size_t left = 0;
        for (const std::vector<std::string>& commands : groups) {
            if (style_.group_ports && shown > 0 && shown + commands.size() > most)
                left += commands.size();
            if (left > 0) continue;
            for (const std::string& command : commands)
                out += (shown++ == 0 ? label_line("fix") : "") + paste_line(command);
        }
        if (left > 0) out += line_of("", "… and " + std::to_string(left) + " more: -v lists them");
        return out;
    }

    [[nodiscard]] std::string fix(const Suspect& cause) const {
        const Remedy remedy = remedy_of(view_, cause);
        std::string out = fixing_lines(remedy.commands);
        if (!remedy.when.empty()) out += line_of("where", remedy.when);
        for (const std::string& command : remedy.other)
            out +=
                (&command == &remedy.other.front() ? label_line("or") : "") + paste_line(command);
        if (!remedy.other.empty()) out += line_of("where", remedy.other_when);
        if (!remedy.words.empty()) out += lines_of("fix", remedy.words);
        if (!remedy.disturbs.empty()) out += line_of("impact", remedy.disturbs);
        // The line below all causes names the apply once.
        const std::size_t apply =
            lasting(view_).empty() ? std::string::npos : remedy.profile.find("; " + view_.apply);
        if (!remedy.profile.empty())
            out += line_of("profile", remedy.profile.substr(
                                          0, view_.profile.empty() ? std::string::npos : apply));
        return out;
    }

    static std::string degree(const Suspect& cause) {
        return cause.weight == core::Weight::risk ? "(risk) " : "";
    }

    std::string cause_text(const Suspect& cause, std::size_t number) const {
        std::vector<std::string> ports;
        for (const Check* check : cause.checks)
            ports.push_back(check->port);
        std::string out = verdict_text(cause.verdict, style_) + ' ' + std::to_string(number) +
                          ". " + style_.bad(cause.row->id) + ' ' + degree(cause) + "on " +
                          where(ports) + '\n';
        out += because(cause);
        if (!cause.follows.empty()) {
            std::string ids;
            for (const core::FindingRow* row : cause.follows)
                ids += (ids.empty() ? "" : ", ") + std::string(row->id);
            out += line_of("explains", ids);
        }
        if (!cause.row->cause.ruled_out_by.empty()) out += line_of("unless", ruled_out_by(cause));
        if (!cause.row->cause.test.empty()) out += lines_of("test", test_of(cause));
        return out + fix(cause);
    }

    std::string chain_text(const Chain& chain) const {
        std::string out = style_.bold(chain.name) + " on " + where(chain.ports) + "\n   ";
        const core::ChainLink* broken = first_broken(chain);
        for (const core::ChainLink& link : chain.links) {
            if (&link != &chain.links.front()) out += " > ";
            const std::string text =
                std::string(link.name) + ' ' + (link.found.empty() ? "?" : on_one_line(link.found));
            if (&link == broken)
                out += style_.bad("[" + text + " ✗ " + std::string(link.broken->id) + "]");
            else
                out += text;
        }
        return out + '\n';
    }

    [[nodiscard]] std::string chains_text() const {
        std::string out;
        for (const Chain& chain : view_.diagnosis.chains)
            if (view_.all || first_broken(chain) != nullptr) out += chain_text(chain);
        return out.empty() ? out : out + '\n';
    }

    /// The changes, those of one map of a port as one.
    [[nodiscard]] std::vector<core::Difference> changed_once(
        const core::Comparison& changes) const {
        if (!style_.group_ports) return changes.changed;
        std::vector<core::Difference> out;
        for (auto one = changes.changed.begin(); one != changes.changed.end();) {
            out.push_back(*one);
            const auto first = map_entry(one->name);
            std::vector<MapEntry> entries;
            for (; first && one != changes.changed.end() && one->port == out.back().port; ++one) {
                const auto entry = map_entry(one->name);
                if (!entry || entry->first != first->first) break;
                entries.push_back({entry->second, one->before, one->after});
            }
            if (!first) {
                ++one;
                continue;
            }
            MapText text = map_text(first->first, entries);
            out.back().name = std::move(text.name);
            out.back().before = std::move(text.before);
            out.back().after = std::move(text.after);
        }
        return out;
    }

    /// What is the same change on several ports is one line.
    [[nodiscard]] std::string changes_text() const {
        if (!view_.changes) return "";
        const std::string long_ago = core::duration_text(view_.changes->seconds);
        const std::string since = long_ago.empty() ? "the earlier snapshot" : long_ago + " ago";
        if (view_.changes->changed.empty()) return "no setting changed since " + since + "\n\n";
        std::vector<std::pair<std::string, std::vector<std::string>>> said;
        for (const core::Difference& change : changed_once(*view_.changes)) {
            const std::string text = change.name + ' ' + change.before + " → " + change.after;
            auto known = std::ranges::find(
                said, text, [](const auto& each) -> const auto& { return each.first; });
            if (known == said.end()) known = said.insert(said.end(), {text, {}});
            known->second.push_back(change.port);
        }
        std::string out = style_.bold("changed") + " since " + since + '\n';
        for (const auto& [text, ports] : said)
            out += "   " + where(ports) + ": " + on_one_line(text) + '\n';
        return out + '\n';
    }

    /// A line for what is the same of a check on several ports.
    [[nodiscard]] std::string checks_text() const {
        std::vector<Row> rows;
        std::vector<std::string> ports;
        const std::vector<Check>& checks = view_.diagnosis.examination.checks;
        for (std::size_t i = 0; i < checks.size(); ++i) {
            const Check& check = checks[i];
            ports.push_back(check.port);
            std::string said = said_of(check);
            if (i + 1 < checks.size() && checks[i + 1].row == check.row &&
                checks[i + 1].verdict == check.verdict && said_of(checks[i + 1]) == said)
                continue;
            rows.push_back({verdict_text(check.verdict, style_), std::string(check.row->id),
                            where(ports), on_one_line(said)});
            ports.clear();
        }
        return rows.empty() ? "" : table(rows, "", style_.width) + '\n';
    }

    [[nodiscard]] std::string said_of(const Check& check) const {
        std::string out = check.reason;
        for (const core::Fault& fault : check.faults)
            out += (out.empty() ? "" : "; ") + shared_text(fault.text, check.port, of_);
        return out;
    }

    const DoctorView& view_;
    const Style& style_;
    Grouping of_;
};

}  // namespace

std::string doctor_text(const DoctorView& view, const Style& style) {
    std::string out = fitted(DoctorText(view, style).text(), style.width);
    if (view.active != nullptr) out += '\n' + style.bold("sent by RDMA") + '\n' + view.active->text;
    return out;
}

std::string doctor_list(const Style& style) {
    std::string out;
    for (const core::FindingGroup* group : core::finding_groups()) {
        std::vector<Row> rows;
        for (const core::FindingRow* row : core::doctor_rows())
            if (&core::group_of(*row) == group)
                rows.push_back({std::string(row->id), std::string(row->why)});
        if (!rows.empty()) out += style.bold(group->name) + '\n' + table(rows, "  ", style.width);
    }
    return out;
}

}  // namespace cli
