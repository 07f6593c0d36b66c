// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/story.hpp"

#include <algorithm>
#include <set>

#include "core/model/object.hpp"
#include "core/model/shell.hpp"

namespace core {
namespace {

bool is_ill(const Check& check) {
    return check.verdict == Verdict::fail || check.verdict == Verdict::warn;
}

std::string text_of(const Check& check) {
    std::string out;
    for (const Fault& fault : check.faults)
        out += (out.empty() ? "" : "; ") + fault.text;
    return out;
}

/// All lines that fix the first fault that lines fix: what is replaced is deleted by one of them.
std::string fix_of(const Check& check, const State& now) {
    for (const Fault& fault : check.faults) {
        std::string out;
        for (const std::string& command : fixing_commands(now, fault))
            out.append(out.empty() ? "" : " && ").append(without_reason(command));
        if (!out.empty()) return out;
    }
    return check.faults.empty() ? std::string() : check.faults.front().remedy;
}

/// Adds counters of the link that grew though its state reads the same: it went down and up in
/// between.
void add_unseen(const Port& was, const Port& is, std::vector<Difference>& out) {
    for (const Field& field : fields()) {
        if (field.shape.kind != Shape::Kind::counter) continue;
        const auto then = field.get(was);
        const auto now = field.get(is);
        if (!then || !now || *then == *now || then->empty() || now->empty()) continue;
        out.push_back({.port = is.name,
                       .name = std::string(field.key),
                       .before = text(then->begin()->second),
                       .after = text(now->begin()->second)});
    }
}

/// The host, the ports of the fabric, what is on them, and the bonds of which they are members.
/// Others come and go as containers do.
std::set<std::string> watched(const State& state, const std::vector<std::string>& fabric) {
    std::set<std::string> out(fabric.begin(), fabric.end());
    for (const Port& port : state.ports) {
        if (!port.link) continue;
        if (out.contains(port.link->lower)) out.insert(port.name);
        const std::string& master = port.link->master;
        if (out.contains(port.name) && !master.empty()) out.insert(master);
    }
    out.emplace(kHost);
    return out;
}

}  // namespace

void Story::tell_changes(const State& now, const std::vector<std::string>& fabric,
                         std::vector<Event>& out) {
    std::vector<Difference> changes = compared(before_, now, 0).changed;
    std::set<std::string> names = watched(now, fabric);
    names.merge(watched(before_, fabric_));
    std::erase_if(changes, [&](const Difference& change) { return !names.contains(change.port); });
    for (const Port& port : now.ports) {
        const Port* was = find_port(before_, port.name);
        const bool reported =
            std::ranges::find(changes, port.name, &Difference::port) != changes.end();
        if (was != nullptr && !reported && names.contains(port.name))
            add_unseen(*was, port, changes);
    }
    for (Difference& change : changes)
        out.push_back({.kind = Event::Kind::changed, .difference = std::move(change)});
}

void Story::tell_wells(const Examination& examination, double seconds, std::vector<Event>& out) {
    for (const Check& check : examination.checks) {
        const auto place = places_.find({check.row->id, check.port});
        if (check.verdict != Verdict::pass || place == places_.end()) continue;
        Episode& episode = episodes_[place->second];
        if (!episode.there) continue;
        episode.there = false;
        episode.held += seconds - episode.since;
        Event event{.kind = Event::Kind::well, .episode = episode};
        event.episode.held = seconds - episode.since;
        out.push_back(std::move(event));
    }
}

void Story::tell_found(const Check& check, const State& now, const std::string& follows,
                       double seconds, std::vector<Event>& out) {
    const auto [place, fresh] = places_.try_emplace({check.row->id, check.port}, episodes_.size());
    if (fresh) episodes_.push_back({.row = check.row, .port = check.port});
    Episode& episode = episodes_[place->second];
    const std::string said = text_of(check);
    const bool same = episode.there && episode.verdict == check.verdict &&
                      (episode.text == said || check.row->needs.before);
    if (!episode.there) {
        episode.there = true;
        episode.since = seconds;
        ++episode.times;
    }
    episode.verdict = check.verdict;
    episode.text = said;
    if (same) return;
    episode.fix = fix_of(check, now);
    episode.follows = follows;
    out.push_back({.kind = Event::Kind::found, .episode = episode});
}

std::vector<Event> Story::tell(const State& now, const Diagnosis& diagnosis, double seconds) {
    std::vector<Event> out;
    if (began_) tell_changes(now, diagnosis.examination.ports, out);
    began_ = true;
    tell_wells(diagnosis.examination, seconds, out);
    std::set<const Check*> reported;
    std::map<std::string_view, std::string> explained;
    for (const Suspect& cause : diagnosis.causes) {
        for (const Check* check : cause.checks) {
            tell_found(*check, now, "", seconds, out);
            reported.insert(check);
        }
        for (const FindingRow* row : cause.follows)
            explained.emplace(row->id, cause.row->id);
    }
    for (const Check& check : diagnosis.examination.checks)
        if (is_ill(check) && !reported.contains(&check))
            tell_found(check, now, explained[check.row->id], seconds, out);
    before_ = now;
    fabric_ = diagnosis.examination.ports;
    return out;
}

std::vector<Episode> Story::episodes(double seconds) const {
    std::vector<Episode> out = episodes_;
    for (Episode& episode : out)
        if (episode.there) episode.held += seconds - episode.since;
    return out;
}

}  // namespace core
