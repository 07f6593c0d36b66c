// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/mesh_findings.hpp"

namespace cli {

/// What a cell of a matrix is.
enum class Cell : std::uint8_t {
    none,
    self,
    skipped,
    fails,
    level0,
    level1,
    level2,
    level3,
    level4,
    outlier
};

/// A matrix for drawing: who measured from top to bottom, of whom from left to right. Where there
/// are too many hosts, a cell stands for a block of them, and is as the worst of it.
struct Picture {
    core::probe::Measure measure{};
    core::probe::Usual usual{};
    std::size_t block = 1;  ///< hosts a row
    std::size_t side = 0;   ///< rows
    core::probe::Grid values{0};
    std::vector<Cell> cells{};

    [[nodiscard]] Cell at(std::size_t row, std::size_t column) const {
        return cells[row * side + column];
    }
};
/// Levels are fifths of the way from the best to the limit of what is usual.
Picture picture_of(const core::probe::Mesh& mesh, const core::probe::Measure& measure,
                   std::size_t most);

}  // namespace cli
