// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cli {

/// The options of a mesh.
struct Meshing {
    bool serves = false;      ///< `probe serve` as a member of a mesh
    bool from_slurm = false;  ///< the hosts of the Slurm job
    std::size_t concurrency = 16;
    bool dry = false;
};

}  // namespace cli
