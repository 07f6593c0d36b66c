// SPDX-License-Identifier: Apache-2.0
#include "cli/views/causes.hpp"

#include <algorithm>
#include <set>

#include "cli/views/quoted.hpp"
#include "core/model/reading.hpp"

namespace cli {
namespace {

using core::Fault;
using core::Suspect;

/// The entry of a map that is not as desired; nothing where a fault is of anything else.
std::optional<std::pair<std::string, MapEntry>> drifted(const Fault& fault,
                                                        const core::Reading& now) {
    const core::Desired* desired = fault.row == &core::findings::drift ? fault.at : nullptr;
    if (desired == nullptr || !desired->accepted.empty()) return std::nullopt;
    const auto entry = map_entry(core::element_name(*desired->field, desired->element));
    if (!entry) return std::nullopt;
    const core::Value* found = now.element(*desired->field, desired->element);
    return std::pair(entry->first,
                     MapEntry{.number = entry->second,
                              .before = found != nullptr ? core::text(*found) : "nothing",
                              .after = desired->value ? core::text(*desired->value) : "nothing"});
}

/// What a check found, the entries of one map as one.
std::vector<std::string> texts_of(const core::Check& check, const Grouping& of) {
    const core::Port* port = of.state == nullptr ? nullptr : core::find_port(*of.state, check.port);
    std::vector<std::string> out;
    std::string key;
    std::size_t place = 0;
    std::vector<MapEntry> entries;
    for (const Fault& fault : check.faults) {
        const auto entry =
            of.group_ports && port != nullptr ? drifted(fault, core::Reading(*port)) : std::nullopt;
        if (!entry || (!key.empty() && entry->first != key)) {
            out.push_back(fault.text);
            continue;
        }
        if (key.empty()) {
            key = entry->first;
            place = out.size();
            out.emplace_back();
        }
        entries.push_back(entry->second);
    }
    if (key.empty()) return out;
    const MapText text = map_text(key, entries);
    out[place] = text.name + ": expected " + text.after + ", found " + text.before;
    return out;
}

/// Each text once, with the ports that it is about in front where it is not about all of them; of
/// more than one port their names are put as PORT.
CauseRow because(const Suspect& cause, const Grouping& of) {
    struct Reason {
        std::string text{};
        std::vector<std::string> ports{};
    };
    std::vector<Reason> reasons;
    std::vector<std::string> shared;
    for (const core::Check* check : cause.checks)
        for (const std::string& found : texts_of(*check, of)) {
            const std::string text = shared_text(found, check->port, of);
            const auto known = std::ranges::find(shared, text);
            if (known == shared.end()) {
                shared.push_back(text);
                reasons.push_back({.text = found, .ports = {check->port}});
                continue;
            }
            Reason& reason = reasons[static_cast<std::size_t>(known - shared.begin())];
            reason.text = text;
            reason.ports.push_back(check->port);
        }
    CauseRow out{.name = "because"};
    for (const auto& [text, ports] : reasons)
        out.texts.push_back(
            (ports.size() >= cause.checks.size() ? "" : places_text(ports, of) + ": ") + text);
    return out;
}

std::string disturbed(core::Disruption disruption) {
    switch (disruption) {
        case core::Disruption::none: return {};
        case core::Disruption::queues:
            return "the queues are made anew: traffic stops for a moment";
        case core::Disruption::unknown:
            return "what it disrupts is not known of this driver: it may be the link";
        case core::Disruption::link: return "the link goes down for a moment";
        case core::Disruption::reload:
            return "the driver is loaded anew: the port is gone for that time";
        case core::Disruption::reset:
            return "the device is reset: its ports are gone for that time";
        case core::Disruption::reboot: return "it takes a reboot";
    }
    return {};
}

bool has_commands(const DoctorView& view, const Suspect& cause) {
    return std::ranges::any_of(cause.checks, [&](const core::Check* check) {
        return std::ranges::any_of(check->faults, [&](const Fault& fault) {
            return !core::fixing_commands(view.state, fault).empty();
        });
    });
}

/// What to do about it.
void add_remedy(const DoctorView& view, const Suspect& cause, std::vector<CauseRow>& out) {
    CauseRow fix{.name = "fix"};
    CauseRow other{.name = "or"};
    std::string when;
    std::string other_when;
    std::string key;
    std::set<std::vector<std::string>> known;
    core::Disruption cost = core::Disruption::none;
    for (const core::Check* check : cause.checks)
        for (const Fault& fault : check->faults) {
            if (key.empty()) key = core::fixing_key(fault);
            auto commands = core::fixing_commands(view.state, fault);
            if (commands.empty()) continue;
            cost = std::max(cost, core::fixing_cost(view.state, fault));
            if (known.insert(commands).second) fix.commands.push_back(std::move(commands));
            if (!fault.other) continue;
            when = fault.when;
            other_when = fault.other->when;
            other.commands.push_back(core::fixing_commands(view.state, fault.other->fix));
        }
    const auto add = [&out](std::string_view name, std::string text) {
        if (!text.empty()) out.push_back({.name = name, .texts = {std::move(text)}});
    };
    if (!fix.commands.empty())
        out.push_back(std::move(fix));
    else
        for (CauseRow& row : rows_of_text("fix", cause.checks.front()->faults.front().remedy))
            out.push_back(std::move(row));
    add("where", when);
    if (!other.commands.empty()) {
        out.push_back(std::move(other));
        add("where", other_when);
    }
    add("impact", disturbed(cost));
    add("profile", key);
    // Below all causes it stands once.
    if (!key.empty() && !view.profile.empty() && lasting_command(view).empty())
        out.push_back({.name = "apply", .commands = {{view.apply}}});
}

}  // namespace

std::vector<CauseRow> rows_of_text(std::string_view name, const std::string& text) {
    std::vector<CauseRow> out = {{.name = name}};
    for (Piece& piece : pieces_of(text)) {
        if (!out.back().texts.empty()) out.push_back({});
        if (!piece.command)
            out.back().texts.push_back(std::move(piece.text));
        else if (out.back().commands.empty())
            out.back().commands.push_back({std::move(piece.text)});
        else
            out.back().commands.back().push_back(std::move(piece.text));
    }
    return out;
}

std::vector<CauseRow> cause_rows(const DoctorView& view, const Suspect& cause, const Grouping& of) {
    std::vector<CauseRow> out = {because(cause, of)};
    std::string follows;
    for (const core::FindingRow* row : cause.follows)
        follows += (follows.empty() ? "" : ", ") + std::string(row->id);
    if (!follows.empty()) out.push_back({.name = "explains", .texts = {follows}});
    if (!cause.row->cause.ruled_out_by.empty())
        out.push_back({.name = "unless", .texts = {core::ruled_out_by(cause)}});
    if (!cause.row->cause.test.empty())
        for (CauseRow& row : rows_of_text("test", core::test_of(cause)))
            out.push_back(std::move(row));
    add_remedy(view, cause, out);
    return out;
}

std::vector<std::string> ports_of(const Suspect& cause) {
    std::vector<std::string> out;
    for (const core::Check* check : cause.checks)
        out.push_back(check->port);
    return out;
}

std::string lasting_command(const DoctorView& view) {
    if (std::ranges::none_of(view.diagnosis.causes,
                             [&](const Suspect& cause) { return has_commands(view, cause); }))
        return {};
    return view.profile.empty() ? std::string("rocectl apply PROFILE") : view.apply;
}

}  // namespace cli
