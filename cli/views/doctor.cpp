// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor.hpp"

#include <algorithm>
#include <set>

#include "cli/views/causes.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/quoted.hpp"
#include "cli/views/text.hpp"
#include "core/checks/catalogue.hpp"
#include "core/checks/growth.hpp"
#include "core/model/shell.hpp"

namespace cli {
namespace {

using core::Chain;
using core::Check;
using core::Suspect;
using core::Verdict;

std::string verdict_text(Verdict verdict, const Style& style) {
    const std::string text(core::word(verdict));
    if (verdict == Verdict::pass) return style.good(text);
    if (verdict == Verdict::skip || verdict == Verdict::accepted) return style.faint(text);
    return style.bad(text);
}

/// `   because       pfc.priorities is []`: the text begins in one column whatever is in front.
std::string line_of(std::string_view head, std::string_view text) {
    constexpr std::size_t wide = 14;
    std::string out = "   " + std::string(head);
    out.resize(std::max(out.size() + 1, wide), ' ');
    return out + on_one_line(std::string(text)) + '\n';
}

std::string more_text(std::size_t left) {
    return "… and " + std::to_string(left) + " more: -v lists them";
}

/// Commands each on a line of its own below the name, then what is said in words. Of many a few are
/// shown: those that belong together stay together.
std::string row_text(const CauseRow& row, const Style& style) {
    constexpr std::size_t most_commands = 3;
    constexpr std::size_t most_texts = 6;
    std::string out;
    std::size_t shown = 0;
    std::size_t left = 0;
    for (const std::vector<std::string>& commands : row.commands) {
        if (style.group_ports && shown > 0 && shown + commands.size() > most_commands)
            left += commands.size();
        if (left > 0) continue;
        for (const std::string& command : commands) {
            if (shown++ == 0 && !row.name.empty()) out += "   " + std::string(row.name) + '\n';
            out += paste_line(command);
        }
    }
    const auto add = [&](std::string_view text) {
        out += line_of(out.empty() ? row.name : "", text);
    };
    if (left > 0) add(more_text(left));
    const std::size_t texts =
        style.group_ports ? std::min(row.texts.size(), most_texts) : row.texts.size();
    for (std::size_t i = 0; i < texts; ++i)
        add(row.texts[i]);
    if (texts < row.texts.size()) add(more_text(row.texts.size() - texts));
    return out;
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
        if (const std::string command = lasting_command(view_); !command.empty())
            out += std::string(kLasting) + '\n' + paste_line(command) + '\n';
        out += chains_text();
        out += changes_text();
        if (view_.all) out += checks_text();
        return out + accepted_text() + summary();
    }

private:
    [[nodiscard]] std::string where(const std::vector<std::string>& ports) const {
        return on_one_line(places_text(ports, of_));
    }

    static std::string degree(const Suspect& cause) {
        return cause.weight == core::Weight::risk ? "(risk) " : "";
    }

    std::string cause_text(const Suspect& cause, std::size_t number) const {
        std::string out = verdict_text(cause.verdict, style_) + ' ' + std::to_string(number) +
                          ". " + style_.bad(cause.row->id) + ' ' + degree(cause) + "on " +
                          where(ports_of(cause)) + '\n';
        for (const CauseRow& row : cause_rows(view_, cause, of_))
            out += row_text(row, style_);
        return out;
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

    /// A line for what is meant so by one entry, or follows from it, with all of its ports.
    [[nodiscard]] std::string accepted_text() const {
        std::string out;
        std::vector<std::string> ports;
        const std::vector<Check>& checks = view_.diagnosis.examination.checks;
        for (std::size_t i = 0; i < checks.size(); ++i) {
            const Check& check = checks[i];
            if (check.verdict != Verdict::accepted) continue;
            ports.push_back(check.port);
            if (i + 1 < checks.size() && checks[i + 1].row == check.row &&
                checks[i + 1].verdict == check.verdict && checks[i + 1].reason == check.reason)
                continue;
            out += style_.faint("accepted") + ": " + std::string(check.row->id) + " on " +
                   where(ports) + ": " + on_one_line(check.reason) + '\n';
            ports.clear();
        }
        return out;
    }

    [[nodiscard]] std::string said_of(const Check& check) const {
        std::string out = check.reason;
        for (const core::Fault& fault : check.faults)
            out += (out.empty() ? "" : "; ") + shared_text(fault.text, check.port, of_);
        return out;
    }

    /// The end of it: what could not be known and why, how many checks ended how, and which
    /// profiles lie on the host where none was named.
    [[nodiscard]] std::string summary() const {
        const core::Examination& examination = view_.diagnosis.examination;
        std::string out =
            unknowns() + findings_text(examination.unsupported, of_, style_) + fabrics_text();
        if (examination.ports.empty())
            return out +
                   "no port of this host is one of a RoCE fabric: none is known to have an RDMA "
                   "device that speaks RoCE\n" +
                   unrecorded_devices();
        out += count(examination.ports.size(), "port") + ", ";
        out += count(examination.checks.size(), "check") + ':';
        const auto tallied = core::tally(examination);
        for (const Verdict verdict :
             {Verdict::fail, Verdict::warn, Verdict::accepted, Verdict::unknown, Verdict::crash,
              Verdict::pass, Verdict::skip})
            if (const auto number = tallied.find(verdict); number != tallied.end())
                out += ' ' + counted(verdict, number->second) + ',';
        if (const std::size_t left = examination.unsupported.size(); left > 0)
            out += ' ' + count(left, "value") + " not supported here,";
        out.back() = view_.profile.empty() ? ';' : '\n';
        if (!view_.profile.empty()) return out;
        out += " checked against what every RoCE v2 host needs, no profile was given\n";
        out += left_out_text();
        for (const std::string& found : view_.profiles)
            out += (&found == &view_.profiles.front() ? "profile found:\n" : "") +
                   paste_line("rocectl doctor " + core::shell(found));
        return out;
    }

    /// Ports of which the state does not say whether they have an RDMA device.
    [[nodiscard]] std::string unrecorded_devices() const {
        std::vector<std::string> ports;
        for (const core::Port& port : view_.state.ports)
            if (port.name != core::kHost && !port.rdma_link) ports.push_back(port.name);
        if (ports.empty()) return {};
        return "unknown: " + ports_text(ports, Grouping{}) +
               ": rdma.device is not recorded in this state\n";
    }

    /// The ports that are for management, and functions that nobody uses.
    [[nodiscard]] std::string left_out_text() const {
        std::vector<std::string> managed;
        std::vector<std::string> idle;
        std::vector<std::string> unplugged;
        for (const std::string& name : view_.diagnosis.examination.left_out) {
            const core::Port* port = core::find_port(view_.state, name);
            const bool up = port == nullptr || !port->link || port->link->up;
            const bool function =
                !up && (port->link->function == "vf" || port->link->function == "sf");
            const bool linked = up && (port == nullptr || !port->link || port->link->carrier);
            (function ? idle : linked ? managed : unplugged).push_back(name);
        }
        std::string out;
        if (!managed.empty())
            out += "left out: " + ports_text(managed, Grouping{}) +
                   ", with the default route, which others of the ports have not\n";
        if (!idle.empty())
            out += "left out: " + ports_text(idle, Grouping{}) + ": " +
                   count(idle.size(), "function") +
                   " that nobody uses, down and without an address\n";
        if (!unplugged.empty())
            out += "left out: " + ports_text(unplugged, Grouping{}) + ": " +
                   count(unplugged.size(), "port") +
                   " that nobody uses, without a link and an address, of cards whose other port is "
                   "used\n";
        return out;
    }

    /// Where ports were not all compared with each other: those that were, fabric by fabric.
    [[nodiscard]] std::string fabrics_text() const {
        const auto& fabrics = view_.diagnosis.examination.fabrics;
        std::string out;
        if (fabrics.size() < 2) return out;
        for (const core::ExaminedFabric& fabric : fabrics) {
            const std::string name = fabric.name.empty()
                                         ? "fabric as driver, speed and subnets tell"
                                         : "fabric " + fabric.name;
            out += on_one_line(name + ": " + ports_text(fabric.ports, of_));
            for (const core::Prefix& network : fabric.to)
                out += (&network == &fabric.to.front() ? ", to " : ", ") + core::text(network);
            out += '\n';
        }
        return out;
    }

    /// What makes known what is not for this reason: lines to type, else what tells by itself.
    [[nodiscard]] std::string openings(const std::string& reason) const {
        constexpr std::size_t most = 3;
        std::set<std::string> lines;
        std::set<std::string> tests;
        for (const Check& check : view_.diagnosis.examination.checks) {
            if (check.verdict != Verdict::unknown || check.reason != reason) continue;
            lines.insert(check.opened_by.begin(), check.opened_by.end());
            if (!check.row->cause.test.empty()) tests.insert(core::test_of(check));
        }
        const std::size_t all = lines.empty() ? tests.size() : lines.size();
        std::string out;
        std::size_t shown = 0;
        for (const std::string& each : lines.empty() ? tests : lines) {
            if (shown >= most && style_.group_ports) break;
            const std::string_view name = shown++ == 0 ? "test" : "";
            std::vector<CauseRow> rows;
            if (lines.empty())
                rows = rows_of_text(name, each);
            else
                rows.push_back({.name = name, .commands = {{each, "rocectl doctor"}}});
            for (const CauseRow& row : rows)
                out += row_text(row, style_);
        }
        return shown < all ? out + line_of("", more_text(all - shown)) : out;
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
