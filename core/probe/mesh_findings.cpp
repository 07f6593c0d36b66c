// SPDX-License-Identifier: Apache-2.0
#include "core/probe/mesh_findings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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

namespace {

using Of = Measure::Of;
using Where = MeshFinding::Where;
using Values = std::vector<double>;

constexpr std::size_t kFewest = 4;

struct SlowHost {
    std::uint32_t host = 0;
    bool sends = false;
    bool receives = false;
    double value = 0;
};

/// Looks at one grid.
class Looker {
public:
    Looker(Measure measure, std::uint32_t rail, const Grid& grid)
        : measure_(measure), rail_(rail), grid_(grid) {}

    std::vector<MeshFinding> findings() {
        const auto usual = usual_of(measure_, grid_);
        if (!usual) return {};
        usual_ = *usual;
        find_hosts();
        std::vector<MeshFinding> out = groups();
        // Single failures are reported with the pairs.
        if (measure_.of != Of::failure)
            for (MeshFinding& finding : pairs())
                out.push_back(std::move(finding));
        return out;
    }

private:
    [[nodiscard]] bool is_bad(double value) const { return measure_.worse(value, usual_.limit); }

    void find_hosts() {
        row_.assign(grid_.hosts(), false);
        column_.assign(grid_.hosts(), false);
        for (std::uint32_t host = 0; host < grid_.hosts(); ++host) {
            SlowHost slow{.host = host, .value = usual_.middle};
            for (const bool row : {true, false}) {
                if (line_of(grid_, host, row).size() + 1 < kFewest) continue;
                const double middle = *middle_of_line(measure_, grid_, host, row);
                if (!is_bad(middle)) continue;
                (row ? slow.sends : slow.receives) = true;
                if (measure_.worse(middle, slow.value)) slow.value = middle;
            }
            row_[host] = slow.sends;
            column_[host] = slow.receives;
            if (slow.sends || slow.receives) slow_.push_back(slow);
        }
    }

    /// Whether two hosts are as usual to each other.
    [[nodiscard]] bool fine(std::uint32_t one, std::uint32_t other) const {
        const auto& there = grid_.at(one, other);
        const auto& back = grid_.at(other, one);
        return (there || back) && !(there && is_bad(*there)) && !(back && is_bad(*back));
    }

    /// Slow hosts that are as usual to each other are one group.
    [[nodiscard]] std::vector<MeshFinding> groups() const {
        std::vector<MeshFinding> out;
        std::vector<bool> seen(slow_.size());
        for (std::size_t first = 0; first < slow_.size(); ++first) {
            if (seen[first]) continue;
            seen[first] = true;
            std::vector<std::size_t> group{first};
            for (std::size_t at = 0; at < group.size(); ++at)
                for (std::size_t other = 0; other < slow_.size(); ++other)
                    if (!seen[other] && fine(slow_[group[at]].host, slow_[other].host)) {
                        seen[other] = true;
                        group.push_back(other);
                    }
            out.push_back(finding_of(group));
        }
        return out;
    }

    [[nodiscard]] MeshFinding finding_of(const std::vector<std::size_t>& group) const {
        MeshFinding out{.where = group.size() > 1 ? Where::leaf : Where::host,
                        .measure = measure_,
                        .rail = rail_,
                        .usual = usual_.middle};
        Values values;
        for (const std::size_t each : group) {
            out.hosts.push_back(slow_[each].host);
            out.sends = out.sends || slow_[each].sends;
            out.receives = out.receives || slow_[each].receives;
            values.push_back(slow_[each].value);
        }
        std::ranges::sort(out.hosts);
        out.value = middle_of(measure_, values);
        return out;
    }

    [[nodiscard]] bool explained(std::uint32_t from, std::uint32_t to) const {
        return row_[from] || column_[to];
    }

    /// What no slow host explains, and is unusual among the pairs that none does.
    [[nodiscard]] std::vector<MeshFinding> pairs() const {
        const auto count = static_cast<std::uint32_t>(grid_.hosts());
        Values others;
        for (std::uint32_t from = 0; from < count; ++from)
            for (std::uint32_t to = 0; to < count; ++to)
                if (grid_.at(from, to) && !explained(from, to))
                    others.push_back(*grid_.at(from, to));
        const Usual usual = usual_of(measure_, std::move(others)).value_or(usual_);
        std::vector<MeshFinding> out;
        for (std::uint32_t from = 0; from < count; ++from)
            for (std::uint32_t to = 0; to < count; ++to) {
                const auto& value = grid_.at(from, to);
                if (!value || explained(from, to) || !measure_.worse(*value, usual.limit)) continue;
                out.push_back({.where = Where::pair,
                               .measure = measure_,
                               .rail = rail_,
                               .hosts = {from, to},
                               .value = *value,
                               .usual = usual.middle});
            }
        std::ranges::stable_sort(out, [&](const MeshFinding& a, const MeshFinding& b) {
            return measure_.worse(a.value, b.value);
        });
        return out;
    }

    Measure measure_;
    std::uint32_t rail_;
    const Grid& grid_;
    Usual usual_{};
    std::vector<bool> row_{};
    std::vector<bool> column_{};
    std::vector<SlowHost> slow_{};
};

}  // namespace

std::vector<MeshFinding> findings_of(const Mesh& mesh) {
    std::vector<Measure> measures = measures_of(mesh);
    measures.insert(measures.begin(), Measure{.of = Of::failure});
    std::vector<MeshFinding> out;
    for (const Measure& measure : measures)
        for (std::uint32_t rail = 0; rail < rails_in(mesh); ++rail) {
            const Grid grid = grid_of(mesh, measure, rail);
            for (MeshFinding& finding : Looker(measure, rail, grid).findings())
                out.push_back(std::move(finding));
        }
    // The one of std::ranges is not taken by clang 14.
    std::stable_partition(out.begin(), out.end(),
                          [](const MeshFinding& finding) { return finding.where != Where::pair; });
    return out;
}

}  // namespace core::probe
