// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/views/mesh.hpp"

namespace cli {
namespace {

using core::probe::Grid;
using core::probe::Measure;
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

Json hosts_json(const Mesh& mesh) {
    Json out = Json::array();
    for (const MeshHost& host : mesh.hosts)
        out.push_back(
            {{"name", host.name}, {"rails", host.rails}, {"unreachable", host.unreachable}});
    return out;
}

Json findings_json(const Mesh& mesh) {
    Json out = Json::array();
    for (const MeshFinding& finding : core::probe::findings_of(mesh))
        out.push_back(finding_entry(mesh, finding));
    return out;
}

Json picture_json(const Picture& picture) {
    std::string cells;
    for (const Cell cell : picture.cells)
        cells += static_cast<char>('0' + static_cast<int>(cell));
    Json values = Json::array();
    for (std::size_t row = 0; row < picture.side; ++row)
        for (std::size_t column = 0; column < picture.side; ++column) {
            const auto& value = picture.values.at(row, column);
            values.push_back(value ? Json(value_text(picture.measure, *value)) : Json());
        }
    return {{"name", core::probe::name_of(picture.measure)},
            {"usual", value_text(picture.measure, picture.usual.middle)},
            {"limit", value_text(picture.measure, picture.usual.limit)},
            {"block", picture.block},
            {"side", picture.side},
            {"cells", cells},
            {"values", std::move(values)}};
}

/// What the page shows beside, in place of the pairs, of which a thousand hosts have a million.
Json page_of(const Mesh& mesh) {
    // A screen has not many more points.
    constexpr std::size_t most_rows = 256;
    Json out = {{"well", core::probe::is_well(mesh)}, {"sum", mesh_sum(mesh)}};
    Json pictures = Json::array();
    Json columns = Json::array();
    std::vector<Json> middles(mesh.hosts.size(), Json::array());
    for (const Measure& measure : core::probe::measures_of(mesh)) {
        pictures.push_back(picture_json(picture_of(mesh, measure, most_rows)));
        const Grid grid = core::probe::grid_of(mesh, measure);
        for (const bool row : {true, false}) {
            columns.push_back(core::probe::name_of(measure) +
                              (row ? " to others" : " from others"));
            for (std::size_t host = 0; host < mesh.hosts.size(); ++host) {
                const auto middle = core::probe::middle_of_line(measure, grid, host, row);
                middles[host].push_back(middle ? Json(value_text(measure, *middle)) : Json());
            }
        }
    }
    Json failed = Json::array();
    for (const MeshResult& result : mesh.results) {
        if (!result.failure.empty())
            failed.push_back(pair_text(mesh, result) + ": " + result.failure);
        for (const std::string& one : result.unmet)
            failed.push_back(pair_text(mesh, result) + ": expected " + one);
    }
    out["pictures"] = std::move(pictures);
    out["columns"] = std::move(columns);
    out["middles"] = middles;
    out["failed"] = std::move(failed);
    out["skipped"] = reasons_in(mesh);
    return out;
}

}  // namespace

std::string mesh_json(const Heading& heading, const Mesh& mesh) {
    Json body = {{"hosts", hosts_json(mesh)}};
    auto& pairs = body["pairs"] = Json::array();
    for (const MeshResult& result : mesh.results)
        pairs.push_back(result_json(mesh, result));
    body["findings"] = findings_json(mesh);
    body["interrupted"] = mesh.interrupted;
    body["seconds"] = mesh.seconds;
    return document(heading, std::move(body));
}

std::string mesh_page(const Heading& heading, const Mesh& mesh) {
    return page(heading, {{"hosts", hosts_json(mesh)},
                          {"findings", findings_json(mesh)},
                          {"interrupted", mesh.interrupted},
                          {"seconds", mesh.seconds},
                          {"page", page_of(mesh)}});
}

}  // namespace cli
