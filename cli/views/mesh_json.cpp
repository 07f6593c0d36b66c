// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/views/mesh.hpp"

namespace cli {
namespace {

using core::probe::Mesh;
using core::probe::MeshFinding;
using core::probe::MeshHost;
using core::probe::MeshResult;
using core::probe::MeshTrial;
using Json = nlohmann::ordered_json;

constexpr std::string_view name_of_where(MeshFinding::Where where) {
    switch (where) {
        case MeshFinding::Where::host: return "host";
        case MeshFinding::Where::leaf: return "leaf";
        case MeshFinding::Where::pair: return "pair";
    }
    return "";
}

template <typename Number>
Json number_or_null(const std::optional<Number>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json result_json(const Mesh& mesh, const MeshResult& result) {
    Json out{{"from", mesh.hosts[result.from].name},
             {"to", mesh.hosts[result.to].name},
             {"rail", result.rail},
             {"verdict", !result.skipped.empty() ? "skip"
                         : result.fails()        ? "fail"
                                                 : "pass"},
             {"why", result.skipped.empty() ? result.failure : result.skipped}};
    auto& trials = out["trials"] = Json::array();
    for (const MeshTrial& trial : result.trials)
        trials.push_back({{"operation", core::probe::name_of(trial.operation)},
                          {"p50", number_or_null(trial.p50)},
                          {"p99", number_or_null(trial.p99)},
                          {"bandwidth", number_or_null(trial.bandwidth)}});
    out["lost"] = number_or_null(result.lost);
    out["fallback"] = result.fallback;
    out["unmet"] = result.unmet;
    return out;
}

Json finding_entry(const Mesh& mesh, const MeshFinding& finding) {
    Json hosts = Json::array();
    for (const std::uint32_t host : finding.hosts)
        hosts.push_back(mesh.hosts[host].name);
    return {{"where", name_of_where(finding.where)},
            {"hosts", std::move(hosts)},
            {"rail", finding.rail},
            {"measure", core::probe::name_of(finding.measure)},
            {"value", finding.value},
            {"usual", finding.usual},
            {"text", finding_text(mesh, finding)}};
}

}  // namespace

std::string mesh_json(const Heading& heading, const Mesh& mesh) {
    Json body;
    auto& hosts = body["hosts"] = Json::array();
    for (const MeshHost& host : mesh.hosts)
        hosts.push_back(
            {{"name", host.name}, {"rails", host.rails}, {"unreachable", host.unreachable}});
    auto& pairs = body["pairs"] = Json::array();
    for (const MeshResult& result : mesh.results)
        pairs.push_back(result_json(mesh, result));
    auto& findings = body["findings"] = Json::array();
    for (const MeshFinding& finding : core::probe::findings_of(mesh))
        findings.push_back(finding_entry(mesh, finding));
    body["interrupted"] = mesh.interrupted;
    body["seconds"] = mesh.seconds;
    return document(heading, std::move(body));
}

}  // namespace cli
