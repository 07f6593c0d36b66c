// SPDX-License-Identifier: Apache-2.0
#include "cli/views/watch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/views/port_groups.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/text.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

using core::Deviation;
using core::Json;
using core::Turn;
using Kind = Turn::Kind;

/// More of one port at one time are reported in one line.
constexpr std::size_t kMostOfPort = 3;
constexpr std::size_t kMostNamesOfPort = 5;

Json watch_line(std::string_view event, std::int64_t time) {
    return {{"event", event}, {"time", time}};
}

std::string_view kind_word(const Turn& turn) {
    if (turn.kind == Kind::over) return "holds";
    return turn.kind == Kind::refused_optional ? "forgone" : "differs";
}

Json nothing_or(const core::Field& field, const std::optional<core::Value>& value) {
    return value ? core::to_json(field.shape, *value) : Json();
}

Json turn_json(const Turn& turn, std::int64_t time, const std::vector<std::string>& reasons) {
    const Deviation& of = turn.deviation;
    Json out = watch_line(kind_word(turn), time);
    out["port"] = of.port == core::kHost || of.port.empty() ? Json() : Json(of.port);
    out["name"] = of.name;
    if (turn.kind == Kind::over) {
        out["held_seconds"] = turn.held;
        return out;
    }
    if (turn.kind == Kind::refused_optional || !of.change) {
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

std::string place_text(const Deviation& of) {
    return on_one_line(of.port.empty() ? of.name : of.port + ' ' + of.name);
}

/// What a line begins with.
std::string what_of(const Turn& turn, const Style& style) {
    if (turn.kind == Kind::over) return style.good("ok") + " as desired again";
    if (turn.kind == Kind::refused_optional) return "note not held, and optional";
    if (turn.deviation.change) return style.bad("fail") + " differs";
    return style.bad(core::word(turn.deviation.finding->level));
}

std::string turn_text(const Turn& turn, const std::vector<std::string>& reasons,
                      const Style& style) {
    const Deviation& of = turn.deviation;
    std::string out = what_of(turn, style) + ": ";
    if (turn.kind == Kind::over) return out + place_text(of) + ", after " + lasted(turn.held);
    if (turn.kind == Kind::refused_optional) return out + on_one_line(cli::line_of(*of.finding));
    if (!of.change)
        out += on_one_line(cli::line_of(*of.finding));
    else
        out +=
            place_text(of) + ": expected " + on_one_line(value_text(of.change->after)) +
            ", found " +
            (of.change->before_unknown ? "unknown" : on_one_line(value_text(of.change->before))) +
            " (" + on_one_line(origin_in_short(of.change->origin)) + ")";
    for (const std::string& reason : reasons)
        out.append("; ").append(on_one_line(reason));
    return out;
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

/// What turns of one port have to have alike to be reported together.
std::string likeness(const Turn& turn) {
    const Deviation& of = turn.deviation;
    if (turn.kind == Kind::over) return "over " + lasted(turn.held);
    if (of.change && turn.kind != Kind::refused_optional) return "differs";
    return std::string(kind_word(turn)) + ' ' + likeness_of(*of.finding, of.name);
}

std::vector<std::string> written_names(const std::vector<core::Step>& steps) {
    std::vector<std::string> out;
    for (const core::Step& step : steps)
        for (const core::Change& change : step.changes)
            out.push_back(step.port + ' ' + core::element_name(*change.field, change.element));
    return out;
}

}  // namespace

std::string overwritten_text(const core::Overwritten& value) {
    return on_one_line(value.port + ' ' + value.name) + " was written " +
           std::to_string(value.writes) + " times in " + lasted(value.seconds) +
           ", and differed again each time";
}

/// Whoever reads it by a pipe reads it now.
void WatchTeller::say(const std::string& text) {
    out_ << (json_ ? text : fitted(clock_text_.at(clock_()) + ' ' + text, style_.width)) << '\n'
         << std::flush;
    if (!out_) throw core::Error(core::Status::failed, "standard output cannot be written");
}

void WatchTeller::say_lines(std::string_view event, const std::string& words,
                            const std::vector<std::string>& lines) {
    if (json_) {
        Json out = watch_line(event, clock_());
        out["lines"] = lines;
        return say(core::written(out));
    }
    for (const std::string& line : lines)
        say(words + ": " + on_one_line(line));
}

void WatchTeller::began(const std::string& profile, const core::DesiredState& desired_values,
                        bool heals) {
    if (json_) {
        Json line = watch_line("began", clock_());
        line["format"] = 1;
        line["command"] = "watch";
        line["profile"] = profile;
        line["ports"] = desired_values.ports;
        line["wished"] = desired_values.desired_values.size();
        line["heals"] = heals;
        return say(core::written(line));
    }
    say("note watching " + count(desired_values.desired_values.size(), "value") + " of " +
        on_one_line(profile) + " on " + count(desired_values.ports.size(), "port") +
        (heals ? "; what differs is written back" : "; nothing is written"));
}

void WatchTeller::tell_each(const Turns& turns, const std::vector<std::string>& why) {
    for (const Turn* turn : turns)
        say(json_ ? core::written(turn_json(*turn, clock_(), why)) : turn_text(*turn, why, style_));
}

void WatchTeller::tell_together(const Turns& turns, const std::vector<std::string>& why) {
    const Turn& first = *turns.front();
    std::vector<std::string> names;
    for (const Turn* turn : turns)
        names.push_back(on_one_line(turn->deviation.name));
    std::string line = what_of(first, style_) + ": " + on_one_line(first.deviation.port) + ": " +
                       count(names.size(), "value") + ": " + some_of(names);
    if (first.kind == Kind::over)
        line += ", after " + lasted(first.held);
    else if (first.deviation.finding)
        line += ": " + on_one_line(first.deviation.finding->cause);
    for (const std::string& reason : why)
        line.append("; ").append(on_one_line(reason));
    say(line);
}

void WatchTeller::tell(const std::vector<Turn>& turns, const Reasons& reasons) {
    struct Alike {
        std::string port{};
        std::string likeness{};
        std::vector<std::string> why{};
        bool operator==(const Alike&) const = default;
    };
    std::vector<std::pair<Alike, Turns>> groups;
    for (const Turn& turn : turns) {
        const bool over = turn.kind == Kind::over;
        const Alike key{.port = turn.deviation.port,
                        .likeness = likeness(turn),
                        .why = over ? std::vector<std::string>{} : reasons(turn.deviation)};
        auto group = std::ranges::find(groups, key, [](const auto& one) { return one.first; });
        if (group == groups.end()) group = groups.insert(group, {key, {}});
        group->second.push_back(&turn);
    }
    for (const auto& [key, group] : groups)
        if (!json_ && style_.group_ports && group.size() > kMostOfPort)
            tell_together(group, key.why);
        else
            tell_each(group, key.why);
}

void WatchTeller::unread(const std::vector<std::string>& lines) {
    say_lines("unread", style_.bad("fail") + " could not read", lines);
}

void WatchTeller::healed(const core::Report& report) {
    std::vector<std::string> names = written_names(report.plan.steps);
    if (json_) {
        Json line = watch_line("healed", clock_());
        line["entry"] = report.entry;
        line["written"] = names;
        return say(core::written(line));
    }
    for (std::string& name : names)
        name = on_one_line(name);
    say(style_.good("ok") + " healed: " + some_of(names) + " (entry " +
        std::to_string(report.entry) + ")");
}

void WatchTeller::not_healed(const std::vector<std::string>& lines) {
    say_lines("not_healed", style_.bad("fail") + " not healed", lines);
}

void WatchTeller::gave_up(const std::vector<std::string>& lines) {
    say_lines("gave_up", style_.bad("fail") + " gives up", lines);
}

void WatchTeller::lost() {
    say(json_ ? core::written(watch_line("lost", clock_()))
              : "warn the kernel sent more notifications than could be read: all is read anew");
}

void WatchTeller::ended(const ProfileWatchEnd& end) {
    if (json_) {
        Json line = watch_line("ended", clock_());
        line["status"] = static_cast<int>(end.status);
        line["seconds"] = end.seconds;
        line["readings"] = end.readings;
        line["unread"] = end.unread;
        line["lost"] = end.lost;
        line["differed"] = end.deviated;
        line["differ"] = end.standing;
        line["healed"] = end.healed;
        return say(core::written(line));
    }
    std::string line = "note watched for " + lasted(end.seconds) + ", " +
                       count(end.readings, "reading") + ": " +
                       (end.deviated == 0 ? "nothing differed"
                                          : count(end.deviated, "time") + " something differed, " +
                                                std::to_string(end.standing) + " still");
    if (end.unread > 0) line += "; could not read " + count(end.unread, "time");
    if (end.healed > 0) line += "; healed " + count(end.healed, "time");
    if (end.lost > 0) line += "; notifications were lost " + count(end.lost, "time");
    say(line);
}

}  // namespace cli
