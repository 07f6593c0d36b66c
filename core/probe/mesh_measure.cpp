// SPDX-License-Identifier: Apache-2.0
#include "core/probe/mesh_measure.hpp"

#include <algorithm>
#include <cmath>

namespace core::probe {
namespace {

using Of = Measure::Of;

std::optional<double> value_of(const MeshResult& result, const Measure& measure) {
    if (!result.skipped.empty()) return std::nullopt;
    if (measure.of == Of::failure) return result.failure.empty() ? 0 : 1;
    if (measure.of == Of::loss)
        return result.lost ? std::optional(static_cast<double>(*result.lost)) : std::nullopt;
    for (const MeshTrial& trial : result.trials) {
        if (trial.operation != measure.operation) continue;
        const auto& figure = measure.of == Of::p50 ? trial.p50 : trial.bandwidth;
        if (figure) return static_cast<double>(*figure);
    }
    return std::nullopt;
}

}  // namespace

std::string name_of(const Measure& measure) {
    switch (measure.of) {
        case Of::failure: return "failures";
        case Of::p50: return std::string(name_of(measure.operation)) + " p50";
        case Of::bandwidth: return std::string(name_of(measure.operation)) + " bandwidth";
        case Of::loss: return "loss";
    }
    return {};
}

double middle_of(const Measure& measure, std::vector<double>& values) {
    const auto place = static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), values.begin() + place, values.end(),
                     [&](double a, double b) { return measure.worse(b, a); });
    return values[static_cast<std::size_t>(place)];
}

std::vector<Measure> measures_of(const Mesh& mesh) {
    std::vector<Measure> out;
    const auto add = [&](const Measure& measure) {
        if (std::ranges::find(out, measure) == out.end()) out.push_back(measure);
    };
    for (const Of of : {Of::p50, Of::bandwidth})
        for (const MeshResult& result : mesh.results)
            for (const MeshTrial& trial : result.trials)
                if (of == Of::p50 ? trial.p50.has_value() : trial.bandwidth.has_value())
                    add({.of = of, .operation = trial.operation});
    if (std::ranges::any_of(mesh.results, [](const MeshResult& one) { return !!one.lost; }))
        add({.of = Of::loss});
    return out;
}

std::uint32_t rails_in(const Mesh& mesh) {
    std::uint32_t out = 0;
    for (const MeshResult& result : mesh.results)
        out = std::max(out, result.rail + 1);
    return out;
}

void Grid::put(const Measure& measure, std::size_t from, std::size_t to, double value) {
    auto& cell = values_[from * hosts_ + to];
    if (!cell || measure.worse(value, *cell)) cell = value;
}

Grid grid_of(const Mesh& mesh, const Measure& measure, std::optional<std::uint32_t> rail) {
    Grid out(mesh.hosts.size());
    for (const MeshResult& result : mesh.results)
        if (!rail || result.rail == *rail)
            if (const auto value = value_of(result, measure))
                out.put(measure, result.from, result.to, *value);
    return out;
}

std::optional<Usual> usual_of(const Measure& measure, std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    constexpr double kDeviations = 5;
    constexpr double kToStandard = 1.4826;
    constexpr double kShare = 0.25;
    Usual out{.middle = middle_of(measure, values)};
    for (double& value : values)
        value = std::abs(value - out.middle);
    const auto half = static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), values.begin() + half, values.end());
    const double deviation = values[static_cast<std::size_t>(half)] * kToStandard;
    const double margin = std::max(kDeviations * deviation, kShare * out.middle);
    out.limit = measure.of == Of::bandwidth ? out.middle - margin : out.middle + margin;
    return out;
}

std::vector<double> line_of(const Grid& grid, std::size_t host, bool row) {
    std::vector<double> out;
    for (std::size_t other = 0; other < grid.hosts(); ++other) {
        const auto& value = row ? grid.at(host, other) : grid.at(other, host);
        if (other != host && value) out.push_back(*value);
    }
    return out;
}

std::optional<double> middle_of_line(const Measure& measure, const Grid& grid, std::size_t host,
                                     bool row) {
    std::vector<double> line = line_of(grid, host, row);
    return line.empty() ? std::nullopt : std::optional(middle_of(measure, line));
}

std::optional<Usual> usual_of(const Measure& measure, const Grid& grid) {
    std::vector<double> middles;
    for (std::size_t host = 0; host < grid.hosts(); ++host)
        for (const bool row : {true, false})
            if (const auto middle = middle_of_line(measure, grid, host, row))
                middles.push_back(*middle);
    return usual_of(measure, std::move(middles));
}

}  // namespace core::probe
