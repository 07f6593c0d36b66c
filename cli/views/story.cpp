// SPDX-License-Identifier: Apache-2.0
#include "cli/views/story.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/views/printable.hpp"
#include "core/checks/catalogue.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

using core::Episode;
using core::Event;
using core::Json;

Json port_json(const std::string& port) {
    return port == core::kHost ? Json() : Json(port);
}

Json line_json(std::string_view event, std::int64_t time) {
    return {{"event", event}, {"time", time}};
}

Json found_json(const Episode& episode, std::int64_t time) {
    Json out = line_json("found", time);
    out["id"] = episode.row->id;
    out["port"] = port_json(episode.port);
    out["verdict"] = core::word(episode.verdict);
    out["text"] = episode.text;
    out["mend"] = episode.fix;
    out["follows"] = episode.follows.empty() ? Json() : Json(episode.follows);
    return out;
}

Json event_json(const Event& event, std::int64_t time) {
    if (event.kind == Event::Kind::found) return found_json(event.episode, time);
    if (event.kind == Event::Kind::well) {
        Json out = line_json("well", time);
        out["id"] = event.episode.row->id;
        out["port"] = port_json(event.episode.port);
        out["held_seconds"] = event.episode.held;
        return out;
    }
    Json out = line_json("changed", time);
    out["port"] = port_json(event.difference.port);
    out["name"] = event.difference.name;
    out["before"] = event.difference.before;
    out["after"] = event.difference.after;
    return out;
}

Json end_json(const WatchEnd& end, std::int64_t time) {
    Json out = line_json("ended", time);
    out["status"] = static_cast<int>(end.status);
    out["seconds"] = end.seconds;
    out["readings"] = end.readings;
    out["lost"] = end.lost;
    out["findings"] = Json::array();
    for (const Episode& episode : end.episodes)
        out["findings"].push_back({{"id", episode.row->id},
                                   {"port", port_json(episode.port)},
                                   {"verdict", core::word(episode.verdict)},
                                   {"there", episode.there},
                                   {"times", episode.times},
                                   {"held_seconds", episode.held}});
    out["unknown"] = end.unknown;
    out["counters"] = Json::array();
    for (const core::CounterSeries& counter : end.counters)
        out["counters"].push_back({{"port", counter.port},
                                   {"name", counter.name},
                                   {"grown", counter.grown},
                                   {"anew", counter.anew}});
    return out;
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

}  // namespace

/// Whoever reads it by a pipe reads it now.
void StoryTeller::say(const std::string& text) {
    out_ << (json_ ? text : fitted(clock_text_.at(clock_()) + ' ' + text, style_.width)) << '\n'
         << std::flush;
}

void StoryTeller::began(const core::Examination& examination) {
    if (json_) {
        Json line = line_json("began", clock_());
        line["format"] = 1;
        line["command"] = "doctor";
        line["ports"] = examination.ports;
        line["checks"] = examination.checks.size();
        return say(core::written(line));
    }
    say("note watching " + count(examination.ports.size(), "port") + ", " +
        count(examination.checks.size(), "check"));
}

void StoryTeller::tell(const Event& event) {
    say(json_ ? core::written(event_json(event, clock_())) : event_text(event, style_));
}

void StoryTeller::lost() {
    say(json_ ? core::written(line_json("lost", clock_()))
              : "warn the kernel sent more notifications than could be read: all is read anew");
}

std::string StoryTeller::summary(const WatchEnd& end) const {
    std::vector<Row> findings;
    for (const Episode& episode : end.episodes) {
        const std::string times =
            episode.times > 1 ? std::to_string(episode.times) + " times, " : "";
        findings.push_back(
            {std::string(core::word(episode.verdict)), std::string(episode.row->id),
             on_one_line(episode.port),
             times + (episode.there ? "still there, " : "") + "for " + lasted(episode.held)});
    }
    std::string out = table(findings, "  ", style_.width);
    if (end.no_port) out += "no port of this host is one of a RoCE fabric\n";
    if (!end.unknown.empty()) {
        out += "could not be looked for (rocectl doctor says why):";
        for (const std::string& id : end.unknown)
            out.append(" ").append(id);
        out += '\n';
    }
    if (end.counters.empty()) return out;
    out += "counters that grew:\n";
    std::vector<Row> counters;
    for (const core::CounterSeries& counter : end.counters)
        counters.push_back({counter.port, counter.name,
                            (counter.anew ? "at least " : "") + std::to_string(counter.grown)});
    return out + table(counters, "  ", style_.width);
}

void StoryTeller::ended(const WatchEnd& end) {
    if (json_) return say(core::written(end_json(end, clock_())));
    const auto there = std::ranges::count_if(end.episodes, &Episode::there);
    std::string line =
        "note watched for " + lasted(end.seconds) + ", " + count(end.readings, "reading") + ": " +
        count(end.episodes.size(), "finding") + ", " + std::to_string(there) + " still there";
    if (end.lost > 0) line += "; notifications were lost " + std::to_string(end.lost) + " times";
    say(line);
    out_ << summary(end) << std::flush;
}

}  // namespace cli
