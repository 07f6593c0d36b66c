// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include <nlohmann/json.hpp>

namespace cli {
namespace {

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
                               {"depth", trial.depth},
                               {"completion", trial.completion}};
    if (!trial.data.empty()) out["data"] = trial.data;
    if (trial.latency) out["latency"] = latency_json(trial.latency->times);
    if (trial.bandwidth)
        out["bandwidth"] = {{"messages", trial.bandwidth->messages},
                            {"bytes", trial.bandwidth->bytes},
                            {"nanoseconds", trial.bandwidth->nanoseconds},
                            {"payload", trial.bandwidth->gigabits() * 1e9}};
    if (trial.bandwidth && trial.wire_bytes != 0)
        out["bandwidth"]["wire"] = trial.bandwidth->gigabits() * 1e9 *
                                   static_cast<double>(trial.wire_bytes) /
                                   static_cast<double>(trial.size);
    out["processor"] = {{"here", trial.processor.here}, {"peer", trial.processor.peer}};
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
    auto& expected = out["expected"] = nlohmann::ordered_json::array();
    for (const Outcome& outcome : report.outcomes) {
        nlohmann::ordered_json one{{"text", outcome.expectation.text}, {"met", outcome.met}};
        one["measured"] = outcome.measured ? nlohmann::ordered_json(*outcome.measured) : nullptr;
        expected.push_back(std::move(one));
    }
    out["fallback"] = report.fallback;
    out["failure"] = report.failure;
    out["advice"] = report.advice;
    return out;
}

}  // namespace

std::string probe_json(const Heading& heading, const std::vector<PathReport>& reports) {
    nlohmann::ordered_json body;
    auto& paths = body["paths"] = nlohmann::ordered_json::array();
    for (const PathReport& report : reports)
        paths.push_back(path_json(report));
    return document(heading, std::move(body));
}

}  // namespace cli
