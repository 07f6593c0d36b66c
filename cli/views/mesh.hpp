// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/probe/mesh_findings.hpp"

namespace cli {

/// What a cell of a matrix is. The page knows them by their numbers (page.html).
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

/// What a mesh found, in the form that was asked for.
std::string mesh_view(const Heading& heading, const Options& options, const Style& style,
                      const core::probe::Mesh& mesh);
/// What measuring a mesh of so many hosts would take: its rounds, its time and its load, as text or
/// JSON. Nothing is measured for it.
std::string mesh_plan_view(const Heading& heading, const Options& options, const Style& style,
                           std::size_t hosts);

/// The value in the unit that people read: `3.21 us`, `97.40 Gb/s`, `12`.
std::string value_text(const core::probe::Measure& measure, double value);
/// Whom a finding names, what was found, and where to look.
std::string finding_text(const core::probe::Mesh& mesh, const core::probe::MeshFinding& finding);
/// `n1 to n2`, with the rail where there are several.
std::string pair_text(const core::probe::Mesh& mesh, const core::probe::MeshResult& result);
/// `8 hosts, 56 measurements: 54 well, 2 failed, 0 skipped`.
std::string mesh_sum(const core::probe::Mesh& mesh);
/// Why what was to be measured was not, each reason with how many have it.
std::vector<std::string> reasons_in(const core::probe::Mesh& mesh);

/// For people: a matrix of each measure, of many hosts a line for each; what stands out.
std::string mesh_text(const core::probe::Mesh& mesh, const Style& style);
/// Times in nanoseconds, rates in bits a second.
std::string mesh_json(const Heading& heading, const core::probe::Mesh& mesh);
/// A test case for each pair, direction and rail, and for each host that took no part.
std::string mesh_junit(const core::probe::Mesh& mesh);
/// A page for a browser: what stands out, a picture of each measure, a row for each host.
std::string mesh_page(const Heading& heading, const core::probe::Mesh& mesh);

}  // namespace cli
