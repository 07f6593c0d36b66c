// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"

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

nlohmann::ordered_json bandwidth_json(const Trial& trial, const core::probe::Bandwidth& bandwidth) {
    const double payload = bandwidth.gigabits() * 1e9;
    nlohmann::ordered_json out{{"messages", bandwidth.messages},
                               {"bytes", bandwidth.bytes},
                               {"nanoseconds", bandwidth.nanoseconds},
                               {"payload", payload}};
    if (trial.wire_bytes != 0)
        out["wire"] =
            payload * static_cast<double>(trial.wire_bytes) / static_cast<double>(trial.size);
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
    if (trial.bandwidth) {
        out["direction"] = core::probe::name_of(trial.direction);
        out["bandwidth"] = bandwidth_json(trial, *trial.bandwidth);
    }
    if (trial.back) out["back"] = bandwidth_json(trial, *trial.back);
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

nlohmann::ordered_json cm_json(const core::probe::CmReport& cm) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const core::probe::CmStep& step : cm.steps)
        steps.push_back({{"name", step.name}, {"nanoseconds", step.nanoseconds}});
    return {{"device", cm.device},
            {"steps", std::move(steps)},
            {"failure", cm.failure},
            {"advice", cm.advice}};
}

nlohmann::ordered_json mtu_json(const core::probe::PathMtu& path) {
    const auto known = [](std::uint32_t bytes) {
        return bytes == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(bytes);
    };
    return {{"here", known(path.here)},
            {"peer", known(path.peer)},
            {"out", known(path.out)},
            {"back", known(path.back)},
            {"needed", known(path.needed)},
            {"works", core::probe::carries_rdma(path)},
            {"words", core::probe::words_of(path)}};
}

nlohmann::ordered_json flow_json(const core::probe::FlowPath& path) {
    return {{"flow_label", path.flow_label},
            {"source_port", path.source_port},
            {"count", path.times.count()},
            {"min", path.times.min()},
            {"p50", path.times.percentile(50)},
            {"max", path.times.max()},
            {"sent_again", core::probe::sent_again(path)},
            {"failure", path.failure}};
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
    if (report.cm) out["cm"] = cm_json(*report.cm);
    if (report.path) out["path"] = mtu_json(*report.path);
    for (const core::probe::FlowPath& path : report.flows)
        out["flows"].push_back(flow_json(path));
    auto& trials = out["trials"] = nlohmann::ordered_json::array();
    for (const Trial& trial : report.trials)
        trials.push_back(trial_json(trial));
    out["priority"] = report.priority ? nlohmann::ordered_json(*report.priority) : nullptr;
    auto& classes = out["classes"] = nlohmann::ordered_json::array();
    for (const ClassTrial& trial : report.classes)
        classes.push_back(class_json(trial));
    auto& packet_losses = out["losses"] = nlohmann::ordered_json::array();
    for (const core::probe::PacketLoss& loss : report.packet_losses)
        packet_losses.push_back({{"at", loss.here ? "here" : "peer"},
                                 {"name", loss.name},
                                 {"number", loss.number},
                                 {"text", packet_loss_text(loss)}});
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

std::string probe_paths_json(const std::vector<PathReport>& reports) {
    nlohmann::ordered_json paths = nlohmann::ordered_json::array();
    for (const PathReport& report : reports)
        paths.push_back(path_json(report));
    return core::written(paths);
}

std::string probe_json(const Heading& heading, const std::vector<PathReport>& reports) {
    nlohmann::ordered_json body;
    body["paths"] = nlohmann::ordered_json::parse(probe_paths_json(reports));
    return document(heading, std::move(body));
}

}  // namespace cli
