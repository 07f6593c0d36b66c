// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cli {

/// What the command line said of a mesh.
struct Meshing {
    bool serves = false;      ///< a server takes part in one
    bool from_slurm = false;  ///< the hosts are those of the job
    std::size_t concurrency = 16;
    bool dry = false;
};

}  // namespace cli
