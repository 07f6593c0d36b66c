// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/mesh_measure.hpp"

namespace core::probe {

/// Something that stands out.
struct MeshFinding {
    enum class Where : std::uint8_t {
        host,  ///< its row or its column as a whole
        leaf,  ///< hosts that are as usual to each other, and slow to the others
        pair,  ///< one host to another, which neither explains
    };
    Where where = Where::pair;
    Measure measure{};
    std::uint32_t rail = 0;
    std::vector<std::uint32_t> hosts{};  ///< of a pair from and to
    bool sends = false;                  ///< a host: its row, what it measured
    bool receives = false;               ///< a host: its column, what others measured of it
    double value = 0;                    ///< of a host or a leaf the middle
    double usual = 0;
};

/// All that stands out, by each measure and rail: leaves and hosts first, then pairs, the worst
/// first. Which host is slow can be told among four or more.
std::vector<MeshFinding> findings_of(const Mesh& mesh);

}  // namespace core::probe
