// SPDX-License-Identifier: Apache-2.0
#include "core/probe/mesh.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/model/nearest.hpp"

namespace core::probe {
namespace {

/// A message has no more than 64 values.
constexpr std::size_t kMostTrials = 8;
constexpr std::size_t kMostUnmet = 16;
constexpr std::size_t kLongestText = 1000;

std::string cut(const std::string& text) {
    return text.size() <= kLongestText ? text : text.substr(0, kLongestText) + "...";
}

std::string name_at(std::size_t place, std::string_view what) {
    return "trial." + std::to_string(place) + "." + std::string(what);
}

void put_figure(Message& out, const std::string& name, const std::optional<std::uint64_t>& figure) {
    if (figure) out.numbers[name] = *figure;
}

std::optional<std::uint64_t> figure_in(const Message& message, const std::string& name) {
    if (!message.numbers.contains(name)) return std::nullopt;
    return number_in(message, name, 0, UINT64_MAX);
}

std::string text_in(const Message& message, std::string_view name) {
    const auto it = message.words.find(name);
    return it == message.words.end() ? std::string() : cut(it->second);
}

std::string unmet_text(const Outcome& outcome) {
    const Expectation& one = outcome.expectation;
    std::string found = "not measured";
    if (outcome.measured) {
        std::string number = std::to_string(*outcome.measured / one.factor);
        number.erase(number.find_last_not_of('0') + 1);
        if (number.ends_with('.')) number.pop_back();
        found = "measured " + number + " " + one.unit;
    }
    return one.text + ": " + found;
}

}  // namespace

Message message_of(const MeshResult& result) {
    Message out{.kind = "measured"};
    for (std::size_t i = 0; i < std::min(result.trials.size(), kMostTrials); ++i) {
        const MeshTrial& trial = result.trials[i];
        out.words[name_at(i, "operation")] = name_of(trial.operation);
        put_figure(out, name_at(i, "p50"), trial.p50);
        put_figure(out, name_at(i, "p99"), trial.p99);
        put_figure(out, name_at(i, "bandwidth"), trial.bandwidth);
    }
    put_figure(out, "lost", result.lost);
    for (std::size_t i = 0; i < std::min(result.unmet.size(), kMostUnmet); ++i)
        out.words["unmet." + std::to_string(i)] = cut(result.unmet[i]);
    if (!result.failure.empty()) out.words["failure"] = cut(result.failure);
    if (!result.skipped.empty()) out.words["skipped"] = cut(result.skipped);
    if (!result.fallback.empty()) out.words["fallback"] = cut(result.fallback);
    return out;
}

MeshResult result_in(const Message& message) {
    if (message.kind != "measured")
        throw Error(Status::failed,
                    "the peer sent '" + message.kind + "' where 'measured' was expected");
    MeshResult out;
    for (std::size_t i = 0; message.words.contains(name_at(i, "operation")); ++i) {
        const std::string& name = word_in(message, name_at(i, "operation"));
        const auto operation = find_operation(name);
        if (!operation)
            throw Error(Status::failed,
                        "the peer measured '" + cut(name) + "', which this rocectl does not know");
        out.trials.push_back({.operation = *operation,
                              .p50 = figure_in(message, name_at(i, "p50")),
                              .p99 = figure_in(message, name_at(i, "p99")),
                              .bandwidth = figure_in(message, name_at(i, "bandwidth"))});
    }
    out.lost = figure_in(message, "lost");
    for (std::size_t i = 0; message.words.contains("unmet." + std::to_string(i)); ++i)
        out.unmet.push_back(text_in(message, "unmet." + std::to_string(i)));
    out.failure = text_in(message, "failure");
    out.skipped = text_in(message, "skipped");
    out.fallback = text_in(message, "fallback");
    return out;
}

MeshResult result_of(const PathReport& report) {
    MeshResult out;
    for (const Trial& trial : report.trials) {
        auto known = std::ranges::find(out.trials, trial.operation, &MeshTrial::operation);
        if (known == out.trials.end())
            known = out.trials.insert(known, {.operation = trial.operation});
        if (trial.latency) {
            known->p50 = trial.latency->times.percentile(50);
            known->p99 = trial.latency->times.percentile(99);
        }
        if (trial.bandwidth)
            known->bandwidth =
                static_cast<std::uint64_t>(nearest(trial.bandwidth->gigabits() * 1e9));
    }
    for (const Outcome& outcome : report.outcomes)
        if (!outcome.met) out.unmet.push_back(unmet_text(outcome));
    out.fallback = report.fallback;
    out.failure = report.failure;
    if (!report.failure.empty() && !report.advice.empty()) out.failure += "; " + report.advice;
    return out;
}

MeshCount count_of(const Mesh& mesh) {
    MeshCount out;
    for (const MeshResult& result : mesh.results) {
        if (!result.skipped.empty())
            ++out.skipped;
        else if (result.fails())
            ++out.failed;
        else
            ++out.measured;
    }
    return out;
}

bool is_well(const Mesh& mesh) {
    const MeshCount count = count_of(mesh);
    return !mesh.interrupted && count.failed == 0 && count.measured > 0 &&
           std::ranges::all_of(mesh.hosts,
                               [](const MeshHost& host) { return host.unreachable.empty(); });
}

}  // namespace core::probe
