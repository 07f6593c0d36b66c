// SPDX-License-Identifier: Apache-2.0
#include "cli/views/mesh_picture.hpp"

#include <algorithm>
#include <cmath>

namespace cli {
namespace {

using core::probe::Grid;
using core::probe::Measure;
using core::probe::Mesh;
using core::probe::MeshResult;

std::vector<double> values_in(const Grid& grid) {
    std::vector<double> out;
    for (std::size_t from = 0; from < grid.hosts(); ++from)
        for (std::size_t to = 0; to < grid.hosts(); ++to)
            if (const auto& value = grid.at(from, to)) out.push_back(*value);
    return out;
}

Grid in_blocks(const Grid& grid, const Measure& measure, std::size_t block, std::size_t side) {
    if (block == 1) return grid;
    Grid out(side);
    for (std::size_t from = 0; from < grid.hosts(); ++from)
        for (std::size_t to = 0; to < grid.hosts(); ++to)
            if (const auto& value = grid.at(from, to))
                out.put(measure, from / block, to / block, *value);
    return out;
}

Cell level_of(const Picture& picture, double best, double value) {
    constexpr double kLevels = 5;
    if (picture.measure.worse(value, picture.usual.limit)) return Cell::outlier;
    const double way = picture.usual.limit - best;
    const double share = way == 0 ? 0 : (value - best) / way;
    const auto level =
        static_cast<std::uint8_t>(std::clamp(std::floor(share * kLevels), 0.0, kLevels - 1));
    return static_cast<Cell>(static_cast<std::uint8_t>(Cell::level0) + level);
}

}  // namespace

Picture picture_of(const Mesh& mesh, const Measure& measure, std::size_t most) {
    const std::size_t hosts = mesh.hosts.size();
    Picture out{.measure = measure};
    out.block = std::max<std::size_t>(1, (hosts + most - 1) / most);
    out.side = (hosts + out.block - 1) / out.block;
    const Grid grid = core::probe::grid_of(mesh, measure);
    const std::vector<double> values = values_in(grid);
    out.usual = core::probe::usual_of(measure, grid).value_or(core::probe::Usual{});
    double best = out.usual.middle;
    for (const double value : values)
        if (measure.worse(best, value)) best = value;
    out.values = in_blocks(grid, measure, out.block, out.side);
    out.cells.assign(out.side * out.side, Cell::none);
    const auto cell = [&](std::size_t row, std::size_t column) -> Cell& {
        return out.cells[row * out.side + column];
    };
    for (std::size_t row = 0; row < out.side; ++row)
        for (std::size_t column = 0; column < out.side; ++column)
            if (const auto& value = out.values.at(row, column))
                cell(row, column) = level_of(out, best, *value);
    for (const MeshResult& result : mesh.results) {
        Cell& place = cell(result.from / out.block, result.to / out.block);
        if (!result.failure.empty())
            place = Cell::fails;
        else if (!result.skipped.empty() && place == Cell::none)
            place = Cell::skipped;
    }
    for (std::size_t row = 0; row < out.side && out.block == 1; ++row)
        cell(row, row) = Cell::self;
    return out;
}

}  // namespace cli
