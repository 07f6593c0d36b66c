// SPDX-License-Identifier: Apache-2.0
#include "cli/views/mesh.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/views/formatted.hpp"
#include "cli/views/junit_suite.hpp"
#include "core/probe/schedule.hpp"

namespace cli {
namespace {

using core::probe::Measure;
using core::probe::Measuring;
using core::probe::Mesh;
using core::probe::MeshFinding;
using core::probe::MeshHost;
using core::probe::MeshResult;
using Where = MeshFinding::Where;

/// What one measurement takes beside what is sent: greeting, every operation once at each size, and
/// opening the queue pairs, as it was seen over soft RoCE.
constexpr double kSetUpSeconds = 0.5;

bool streams(const Measuring& measuring) {
    return measuring.bandwidth ||
           std::ranges::any_of(measuring.expectations, &core::probe::Expectation::bandwidth);
}

double seconds_of(const Measuring& measuring) {
    const std::size_t named = measuring.operations.size() + measuring.expectations.size();
    const auto operations =
        static_cast<double>(named == 0 ? std::size(core::probe::kOperations) : named);
    const double bandwidth =
        streams(measuring) ? std::chrono::duration<double>(measuring.duration).count() : 0;
    // Ten microseconds a message is more than any fabric takes that is well.
    return kSetUpSeconds +
           operations * (static_cast<double>(measuring.iterations) * 1e-5 + bandwidth);
}

std::string time_text(double seconds) {
    constexpr double kMinute = 60;
    constexpr double kHour = 3600;
    if (seconds < 2 * kMinute) return formatted("%.0f s", seconds);
    if (seconds < 2 * kHour) return formatted("%.0f min", seconds / kMinute);
    return formatted("%.1f h", seconds / kHour);
}

std::string with_rail(const Mesh& mesh, std::uint32_t rail) {
    return core::probe::rails_in(mesh) > 1 ? " by rail " + std::to_string(rail) : std::string();
}

std::string unmet_in(const MeshResult& result) {
    std::string out;
    for (const std::string& one : result.unmet)
        out += (out.empty() ? "" : "; ") + one;
    return out;
}

}  // namespace

std::string value_text(const Measure& measure, double value) {
    constexpr double kGiga = 1e9;
    if (measure.of == Measure::Of::p50) return formatted("%.2f us", value / 1e3);
    if (measure.of != Measure::Of::bandwidth) return formatted("%.0f", value);
    return value >= kGiga ? formatted("%.2f Gb/s", value / kGiga)
                          : formatted("%.1f Mb/s", value / 1e6);
}

std::string pair_text(const Mesh& mesh, const MeshResult& result) {
    return mesh.hosts[result.from].name + " to " + mesh.hosts[result.to].name +
           with_rail(mesh, result.rail);
}

std::string finding_text(const Mesh& mesh, const MeshFinding& finding) {
    constexpr std::size_t kNamed = 12;
    std::string out;
    for (std::size_t i = 0; i < std::min(finding.hosts.size(), kNamed); ++i) {
        if (!out.empty()) out += finding.where == Where::pair ? " to " : ", ";
        out += mesh.hosts[finding.hosts[i]].name;
    }
    if (finding.hosts.size() > kNamed)
        out += " and " + std::to_string(finding.hosts.size() - kNamed) + " more";
    out += with_rail(mesh, finding.rail) + ": ";
    if (finding.measure.of == Measure::Of::failure)
        out += "fails";
    else
        out += core::probe::name_of(finding.measure) + ' ' +
               value_text(finding.measure, finding.value) + " where " +
               value_text(finding.measure, finding.usual) + " is usual";
    if (finding.where == Where::pair) return out;
    out += !finding.receives ? ", to" : finding.sends ? ", to and from" : ", from";
    if (finding.where == Where::leaf)
        return out +
               " most others, and not among each other: look at the leaf that they have in common "
               "and its links upwards";
    return out + " most others: look at the host, its adapter, its cable and its port of the leaf";
}

std::string mesh_sum(const Mesh& mesh) {
    const core::probe::MeshCount count = core::probe::count_of(mesh);
    return cli::count(mesh.hosts.size(), "host") + ", " +
           cli::count(mesh.results.size(), "measurement") + ": " + std::to_string(count.measured) +
           " well, " + std::to_string(count.failed) + " failed, " + std::to_string(count.skipped) +
           " skipped";
}

std::vector<std::string> reasons_in(const Mesh& mesh) {
    std::map<std::string, std::size_t> reasons;
    for (const MeshResult& result : mesh.results) {
        if (!result.skipped.empty()) ++reasons[result.skipped];
        if (!result.fallback.empty()) ++reasons["RDMA was left out: " + result.fallback];
    }
    std::vector<std::string> out;
    for (const auto& [reason, number] : reasons)
        out.push_back(cli::count(number, "measurement") + ": " + reason);
    return out;
}

std::string mesh_junit(const Mesh& mesh) {
    std::vector<JunitCase> cases;
    for (const MeshHost& host : mesh.hosts)
        if (!host.unreachable.empty())
            cases.push_back({.port = host.name,
                             .name = "takes part",
                             .failure = host.unreachable,
                             .type = "probe"});
    for (const MeshResult& result : mesh.results) {
        const bool ended = !result.failure.empty();
        cases.push_back({.port = mesh.hosts[result.from].name,
                         .name = pair_text(mesh, result),
                         .failure = ended ? result.failure : unmet_in(result),
                         .type = ended            ? "probe"
                                 : result.fails() ? "expectation"
                                                  : "",
                         .skipped = result.skipped});
        if (!result.fallback.empty())
            cases.push_back({.port = mesh.hosts[result.from].name,
                             .name = pair_text(mesh, result) + " by RDMA",
                             .skipped = result.fallback});
    }
    return junit_suite("rocectl probe mesh", "", cases);
}

std::string mesh_view(const Heading& heading, const Options& options, const Style& style,
                      const Mesh& mesh) {
    if (options.output == Output::json) return mesh_json(heading, mesh);
    if (options.output == Output::junit) return mesh_junit(mesh);
    const bool quiet = options.is_quiet() && heading.status == core::Status::done;
    return quiet ? std::string() : mesh_text(mesh, style);
}

std::string mesh_plan_view(const Heading& heading, const Options& options, std::size_t hosts) {
    const Measuring& measuring = options.measuring;
    const double each = seconds_of(measuring);
    const core::probe::MeshCost cost =
        core::probe::cost_of(hosts, options.meshing.concurrency, 1, each);
    if (options.output == Output::json)
        return document(heading, {{"plan",
                                   {{"hosts", hosts},
                                    {"pairs", cost.pairs},
                                    {"rounds", cost.rounds},
                                    {"steps", cost.steps},
                                    {"measurements", cost.measurements},
                                    {"at_once", cost.at_once},
                                    {"seconds", cost.seconds},
                                    {"rate", measuring.bits_a_second * cost.at_once}}}});
    std::string out = cli::count(hosts, "host") + ", " + cli::count(cost.pairs, "pair") +
                      " in both directions: " + cli::count(cost.measurements, "measurement") +
                      " by each rail\n";
    out += cli::count(cost.rounds, "round") + ", in which no host is in two pairs; " +
           cli::count(cost.at_once, "pair") + " at one time: " + cli::count(cost.steps, "step") +
           '\n';
    out += "about " + time_text(cost.seconds) + " by each rail, if a measurement takes " +
           formatted("%.1f s", each) + '\n';
    out += "load: " + cli::count(2 * cost.at_once, "host") +
           " at one time, each with one measurement that sends one message after the other\n";
    if (!streams(measuring)) return out;
    out += "      and streams: ";
    if (measuring.bits_a_second == 0)
        return out + "as much as the path takes, of " + std::to_string(cost.at_once) + " at once\n";
    return out +
           formatted("%.1f Gb/s in all",
                     static_cast<double>(measuring.bits_a_second * cost.at_once) / 1e9) +
           '\n';
}

}  // namespace cli
