// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using core::probe::ClassTrial;
using core::probe::Outcome;
using core::probe::PathCheck;
using core::probe::PathReport;
using core::probe::Trial;

nlohmann::ordered_json end_json(const core::probe::End& end) {
    return {{"address", end.address},
            {"port", end.port},
            {"device", end.device},
            {"gid_index", end.gid_index}};
}

nlohmann::ordered_json latency_json(const core::probe::Histogram& times) {
    nlohmann::ordered_json out{{"count", times.count()},
                               {"min", times.min()},
                               {"p50", times.percentile(50)},
                               {"p90", times.percentile(90)},
                               {"p99", times.percentile(99)},
                               {"p99.9", times.percentile(99.9)},
                               {"max", times.max()},
                               {"mean", times.mean()},
                               {"deviation", times.deviation()}};
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const auto& step : times.steps())
        steps.push_back({step.from, step.count});
    out["histogram"] = std::move(steps);
    return out;
}

nlohmann::ordered_json trial_json(const Trial& trial) {
    nlohmann::ordered_json out{{"operation", core::probe::name_of(trial.operation)},
                               {"size", trial.size},
                               {"queue_pairs", trial.queue_pairs},
                               {"depth", trial.depth}};
    if (trial.latency) out["latency"] = latency_json(trial.latency->times);
    if (trial.bandwidth)
        out["bandwidth"] = {
            {"messages", trial.bandwidth->messages},
            {"bytes", trial.bandwidth->bytes},
            {"nanoseconds", trial.bandwidth->nanoseconds},
            {"payload", trial.bandwidth->gigabits() * 1e9},
            {"wire", trial.bandwidth->gigabits() * 1e9 * static_cast<double>(trial.wire_bytes) /
                         static_cast<double>(trial.size)}};
    out["processor"] = {{"here", trial.processor.here}, {"peer", trial.processor.peer}};
    return out;
}

nlohmann::ordered_json travel_json(const core::probe::Travel& travel) {
    const auto number = [](std::optional<unsigned> priority) {
        return priority ? nlohmann::ordered_json(*priority) : nullptr;
    };
    return {{"sent_in", number(travel.sent_in)}, {"received_in", number(travel.received_in)}};
}

nlohmann::ordered_json class_json(const ClassTrial& trial) {
    nlohmann::ordered_json out{{"operation", name_of(trial.operation)},
                               {"traffic_class", trial.traffic_class},
                               {"data", travel_json(trial.data)},
                               {"back", travel_json(trial.back)},
                               {"cnp", travel_json(trial.notified)}};
    out["cnps"] = trial.notifications ? nlohmann::ordered_json(*trial.notifications) : nullptr;
    if (trial.like_notifications) out["like_cnps"] = *trial.like_notifications;
    out["unknown"] = trial.unknown;
    out["faults"] = trial.faults;
    return out;
}

nlohmann::ordered_json path_json(const PathReport& report) {
    nlohmann::ordered_json out{{"here", end_json(report.here)},
                               {"peer", end_json(report.peer)},
                               {"mtu", report.mtu},
                               {"traffic_class", report.traffic_class},
                               {"completion", report.completion}};
    auto& checks = out["checks"] = nlohmann::ordered_json::array();
    for (const PathCheck& check : report.checks)
        checks.push_back({{"name", check.name},
                          {"verdict", check.skipped       ? "skip"
                                      : check.why.empty() ? "pass"
                                                          : "fail"},
                          {"sizes", check.sizes},
                          {"why", check.why}});
    auto& trials = out["trials"] = nlohmann::ordered_json::array();
    for (const Trial& trial : report.trials)
        trials.push_back(trial_json(trial));
    out["priority"] = report.priority ? nlohmann::ordered_json(*report.priority) : nullptr;
    auto& classes = out["classes"] = nlohmann::ordered_json::array();
    for (const ClassTrial& trial : report.classes)
        classes.push_back(class_json(trial));
    auto& losses = out["losses"] = nlohmann::ordered_json::array();
    for (const core::probe::Loss& loss : report.losses)
        losses.push_back({{"at", loss.here ? "here" : "peer"},
                          {"name", loss.name},
                          {"number", loss.number},
                          {"text", loss_text(loss)}});
    auto& expected = out["expected"] = nlohmann::ordered_json::array();
    for (const Outcome& outcome : report.outcomes) {
        nlohmann::ordered_json one{{"text", outcome.expectation.text}, {"met", outcome.met}};
        one["measured"] = outcome.measured ? nlohmann::ordered_json(*outcome.measured) : nullptr;
        expected.push_back(std::move(one));
    }
    out["failure"] = report.failure;
    out["advice"] = report.advice;
    return out;
}

}  // namespace

std::string probe_paths_json(const std::vector<PathReport>& reports) {
    nlohmann::ordered_json paths = nlohmann::ordered_json::array();
    for (const PathReport& report : reports)
        paths.push_back(path_json(report));
    return paths.dump();
}

std::string probe_json(const Heading& heading, const std::vector<PathReport>& reports) {
    nlohmann::ordered_json body;
    body["paths"] = nlohmann::ordered_json::parse(probe_paths_json(reports));
    return document(heading, std::move(body));
}

}  // namespace cli
