// SPDX-License-Identifier: Apache-2.0
#include "cli/views/watch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/views/port_groups.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/text.hpp"
#include "core/checks/growth.hpp"
#include "core/json/bytes.hpp"
#include "core/model/nearest.hpp"

namespace cli {
namespace {

using core::Deviation;
using core::DeviationChange;
using core::Episode;
using core::Event;
using core::Json;
using Kind = DeviationChange::Kind;

/// More of one port at one time are reported in one line.
constexpr std::size_t kMostOfPort = 3;
constexpr std::size_t kMostNamesOfPort = 5;

std::string local(std::int64_t time, const char* form) {
    const auto seconds = static_cast<std::time_t>(time);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

/// `3 s`: in whole seconds where there are any.
std::string lasted(double seconds) {
    return core::duration_text(seconds > 1 ? static_cast<double>(core::nearest(seconds))
                                           : std::max(seconds, 0.001));
}

Json port_json(const std::string& port) {
    return port == core::kHost || port.empty() ? Json() : Json(port);
}

std::string_view kind_word(const DeviationChange& change) {
    if (change.kind == Kind::over) return "holds";
    return change.kind == Kind::refused_optional ? "forgone" : "differs";
}

Json nothing_or(const core::Field& field, const std::optional<core::Value>& value) {
    return value ? core::to_json(field.shape, *value) : Json();
}

std::string event_text(const Event& event, const Style& style) {
    const Episode& of = event.episode;
    if (event.kind == Event::Kind::changed) {
        const core::Difference& change = event.difference;
        return "note changed: " + on_one_line(change.port) + ' ' +
               on_one_line(change.name + ' ' + change.before + " → " + change.after);
    }
    if (event.kind == Event::Kind::well)
        return style.good("ok") + " well again: " + std::string(of.row->id) + ' ' +
               on_one_line(of.port) + ", after " + lasted(of.held);
    std::string out = style.bad(core::word(of.verdict)) + ' ' + std::string(of.row->id) + ' ' +
                      on_one_line(of.port) + ": " + on_one_line(of.text);
    if (!of.follows.empty()) return out + " (follows from " + of.follows + ")";
    return of.fix.empty() ? out : out + "; fix: " + on_one_line(of.fix);
}

std::string place_text(const Deviation& of) {
    return on_one_line(of.port.empty() ? of.name : of.port + ' ' + of.name);
}

/// What a line begins with.
std::string what_of(const DeviationChange& change, const Style& style) {
    if (change.kind == Kind::over) return style.good("ok") + " as desired again";
    if (change.kind == Kind::refused_optional) return "note not held, and optional";
    if (change.deviation.change) return style.bad("fail") + " differs";
    return style.bad(core::word(change.deviation.finding->level));
}

/// `; ip (process 7) wrote it`, for each reason.
std::string reasons_text(const std::vector<std::string>& reasons) {
    std::string out;
    for (const std::string& reason : reasons)
        out.append("; ").append(on_one_line(reason));
    return out;
}

std::string change_text(const DeviationChange& change, const std::vector<std::string>& reasons,
                        const Style& style) {
    const Deviation& of = change.deviation;
    std::string out = what_of(change, style) + ": ";
    if (change.kind == Kind::over) return out + place_text(of) + ", after " + lasted(change.held);
    if (change.kind == Kind::refused_optional) return out + on_one_line(cli::line_of(*of.finding));
    if (!of.change)
        out += on_one_line(cli::line_of(*of.finding));
    else
        out +=
            place_text(of) + ": expected " + on_one_line(value_text(of.change->after)) +
            ", found " +
            (of.change->before_unknown ? "unknown" : on_one_line(value_text(of.change->before))) +
            " (" + on_one_line(origin_in_short(of.change->origin)) + ")";
    return out + reasons_text(reasons);
}

/// `mtu, dscp.map 0, dscp.map 1 and 70 more`
std::string some_of(const std::vector<std::string>& all) {
    const std::vector<std::string> names = names_once(all);
    std::string out;
    const std::size_t reported = std::min(names.size(), kMostNamesOfPort);
    for (std::size_t i = 0; i < reported; ++i)
        out.append(i == 0 ? "" : ", ").append(names[i]);
    if (reported < names.size())
        out.append(" and ").append(std::to_string(names.size() - reported)).append(" more");
    return out;
}

/// What changes of one port have to have alike to be reported together.
std::string likeness(const DeviationChange& change) {
    const Deviation& of = change.deviation;
    if (change.kind == Kind::over) return "over " + lasted(change.held);
    if (of.change && change.kind != Kind::refused_optional) return "differs";
    return std::string(kind_word(change)) + ' ' + likeness_of(*of.finding, of.name);
}

std::vector<std::string> written_names(const std::vector<core::Step>& steps) {
    std::vector<std::string> out;
    for (const core::Step& step : steps)
        for (const core::Change& change : step.changes)
            out.push_back(step.port + ' ' + core::element_name(*change.field, change.element));
    return out;
}

std::string watched_text(const WatchEnd& end, const std::string& what) {
    std::string out = "note watched for " + lasted(end.seconds) + ", " +
                      count(end.readings, "reading") + ": " + what;
    if (end.lost > 0) out += "; notifications were lost " + count(end.lost, "time");
    return out;
}

/// What stands below the end of a watch of a host.
std::string summary_text(const HostWatched& watched, const Style& style) {
    std::vector<Row> findings;
    for (const Episode& episode : watched.episodes) {
        const std::string times =
            episode.times > 1 ? std::to_string(episode.times) + " times, " : "";
        findings.push_back(
            {std::string(core::word(episode.verdict)), std::string(episode.row->id),
             on_one_line(episode.port),
             times + (episode.there ? "still there, " : "") + "for " + lasted(episode.held)});
    }
    std::string out = table(findings, "  ", style.width);
    if (watched.no_port) out += "no port of this host is one of a RoCE fabric\n";
    if (!watched.unknown.empty()) {
        out += "could not be looked for (rocectl doctor says why):";
        for (const std::string& id : watched.unknown)
            out.append(" ").append(id);
        out += '\n';
    }
    if (watched.counters.empty()) return out;
    out += "counters that grew:\n";
    std::vector<Row> counters;
    for (const core::CounterSeries& counter : watched.counters)
        counters.push_back({counter.port, counter.name,
                            (counter.anew ? "at least " : "") + std::to_string(counter.grown)});
    return out + table(counters, "  ", style.width);
}

}  // namespace

std::int64_t seconds_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::string overwritten_text(const core::Overwritten& value) {
    return on_one_line(value.port + ' ' + value.name) + " was written " +
           std::to_string(value.writes) + " times in " + lasted(value.seconds) +
           ", and differed again each time";
}

Json WatchTeller::line(std::string_view event) const {
    return {{"event", event}, {"time", clock_()}};
}

Json WatchTeller::line(const Event& event) const {
    const Episode& of = event.episode;
    if (event.kind == Event::Kind::changed) {
        Json out = line("changed");
        out["port"] = port_json(event.difference.port);
        out["name"] = event.difference.name;
        out["before"] = event.difference.before;
        out["after"] = event.difference.after;
        return out;
    }
    const bool found = event.kind == Event::Kind::found;
    Json out = line(found ? "found" : "well");
    out["id"] = of.row->id;
    out["port"] = port_json(of.port);
    if (!found) {
        out["held_seconds"] = of.held;
        return out;
    }
    out["verdict"] = core::word(of.verdict);
    out["text"] = of.text;
    out["mend"] = of.fix;
    out["follows"] = of.follows.empty() ? Json() : Json(of.follows);
    return out;
}

Json WatchTeller::line(const DeviationChange& change,
                       const std::vector<std::string>& reasons) const {
    const Deviation& of = change.deviation;
    Json out = line(kind_word(change));
    out["port"] = port_json(of.port);
    out["name"] = of.name;
    if (change.kind == Kind::over) {
        out["held_seconds"] = change.held;
        return out;
    }
    if (change.kind == Kind::refused_optional || !of.change) {
        out["finding"] = core::to_json(*of.finding);
    } else {
        out["expected"] = nothing_or(*of.change->field, of.change->after);
        out["found"] = nothing_or(*of.change->field, of.change->before);
        if (of.change->before_unknown) out["unknown"] = true;
        out["origin"] = core::to_json(of.change->origin);
    }
    out["reasons"] = reasons;
    return out;
}

Json WatchTeller::line(const WatchEnd& end) const {
    Json out = line("ended");
    out["status"] = static_cast<int>(end.status);
    out["seconds"] = end.seconds;
    out["readings"] = end.readings;
    return out;
}

/// The day stands in front where it is another than before. Whoever reads it by a pipe reads it
/// now.
void WatchTeller::print(std::string line) {
    if (!json_) {
        const std::int64_t time = clock_();
        const bool same = local(time, "%Y-%m-%d") == day_;
        day_ = local(time, "%Y-%m-%d");
        line = fitted((same ? "" : day_ + ' ') + local(time, "%H:%M:%S ") + line, style_.width);
    }
    out_ << line << '\n' << std::flush;
    if (!out_) throw core::Error(core::Status::failed, "standard output cannot be written");
}

void WatchTeller::say(const Json& line, const std::string& text) {
    print(json_ ? core::written(line) : text);
}

void WatchTeller::say_lines(std::string_view event, const std::string& words,
                            const std::vector<std::string>& lines) {
    if (json_) {
        Json out = line(event);
        out["lines"] = lines;
        return print(core::written(out));
    }
    for (const std::string& line : lines)
        print(style_.bad("fail") + ' ' + words + ": " + on_one_line(line));
}

void WatchTeller::began(const core::Examination& examination) {
    Json out = line("began");
    out["format"] = 1;
    out["command"] = "doctor";
    out["ports"] = examination.ports;
    out["checks"] = examination.checks.size();
    say(out, "note watching " + count(examination.ports.size(), "port") + ", " +
                 count(examination.checks.size(), "check"));
}

void WatchTeller::began(const std::string& profile, const core::DesiredState& desired_values,
                        bool heals) {
    Json out = line("began");
    out["format"] = 1;
    out["command"] = "watch";
    out["profile"] = profile;
    out["ports"] = desired_values.ports;
    out["wished"] = desired_values.desired_values.size();
    out["heals"] = heals;
    say(out, "note watching " + count(desired_values.desired_values.size(), "value") + " of " +
                 on_one_line(profile) + " on " + count(desired_values.ports.size(), "port") +
                 (heals ? "; what differs is written back" : "; nothing is written"));
}

void WatchTeller::tell(const Event& event) {
    say(line(event), event_text(event, style_));
}

void WatchTeller::tell_together(const Changes& changes, const std::vector<std::string>& why) {
    const DeviationChange& first = *changes.front();
    std::vector<std::string> names;
    for (const DeviationChange* change : changes)
        names.push_back(on_one_line(change->deviation.name));
    std::string text = what_of(first, style_) + ": " + on_one_line(first.deviation.port) + ": " +
                       count(names.size(), "value") + ": " + some_of(names);
    if (first.kind == Kind::over)
        text += ", after " + lasted(first.held);
    else if (first.deviation.finding)
        text += ": " + on_one_line(first.deviation.finding->cause);
    print(text + reasons_text(why));
}

void WatchTeller::tell(const std::vector<DeviationChange>& changes, const Reasons& reasons) {
    struct Alike {
        std::string port{};
        std::string likeness{};
        std::vector<std::string> why{};
        bool operator==(const Alike&) const = default;
    };
    std::vector<std::pair<Alike, Changes>> groups;
    for (const DeviationChange& change : changes) {
        const bool over = change.kind == Kind::over;
        const Alike key{.port = change.deviation.port,
                        .likeness = likeness(change),
                        .why = over ? std::vector<std::string>{} : reasons(change.deviation)};
        auto group = std::ranges::find(groups, key, [](const auto& one) { return one.first; });
        if (group == groups.end()) group = groups.insert(group, {key, {}});
        group->second.push_back(&change);
    }
    for (const auto& [key, group] : groups)
        if (!json_ && style_.group_ports && group.size() > kMostOfPort)
            tell_together(group, key.why);
        else
            for (const DeviationChange* change : group)
                say(line(*change, key.why), change_text(*change, key.why, style_));
}

void WatchTeller::unread(const std::vector<std::string>& lines) {
    say_lines("unread", "could not read", lines);
}

void WatchTeller::healed(const core::Report& report) {
    std::vector<std::string> names = written_names(report.plan.steps);
    Json out = line("healed");
    out["entry"] = report.entry;
    out["written"] = names;
    for (std::string& name : names)
        name = on_one_line(name);
    say(out, style_.good("ok") + " healed: " + some_of(names) + " (entry " +
                 std::to_string(report.entry) + ")");
}

void WatchTeller::not_healed(const std::vector<std::string>& lines) {
    say_lines("not_healed", "not healed", lines);
}

void WatchTeller::gave_up(const std::vector<std::string>& lines) {
    say_lines("gave_up", "gives up", lines);
}

void WatchTeller::lost() {
    say(line("lost"),
        "warn the kernel sent more notifications than could be read: all is read anew");
}

void WatchTeller::ended(const WatchEnd& end, const HostWatched& watched) {
    Json out = line(end);
    out["lost"] = end.lost;
    out["findings"] = Json::array();
    for (const Episode& episode : watched.episodes)
        out["findings"].push_back({{"id", episode.row->id},
                                   {"port", port_json(episode.port)},
                                   {"verdict", core::word(episode.verdict)},
                                   {"there", episode.there},
                                   {"times", episode.times},
                                   {"held_seconds", episode.held}});
    out["unknown"] = watched.unknown;
    out["counters"] = Json::array();
    for (const core::CounterSeries& counter : watched.counters)
        out["counters"].push_back({{"port", counter.port},
                                   {"name", counter.name},
                                   {"grown", counter.grown},
                                   {"anew", counter.anew}});
    const auto there = std::ranges::count_if(watched.episodes, &Episode::there);
    say(out, watched_text(end, count(watched.episodes.size(), "finding") + ", " +
                                   std::to_string(there) + " still there"));
    if (!json_) out_ << summary_text(watched, style_) << std::flush;
}

void WatchTeller::ended(const WatchEnd& end, const ProfileWatched& watched) {
    Json out = line(end);
    out["unread"] = watched.unread;
    out["lost"] = end.lost;
    out["differed"] = watched.deviated;
    out["differ"] = watched.standing;
    out["healed"] = watched.healed;
    std::string what = watched.deviated == 0
                           ? "nothing differed"
                           : count(watched.deviated, "time") + " something differed, " +
                                 std::to_string(watched.standing) + " still";
    if (watched.unread > 0) what += "; could not read " + count(watched.unread, "time");
    if (watched.healed > 0) what += "; healed " + count(watched.healed, "time");
    say(out, watched_text(end, what));
}

}  // namespace cli
