// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// A process that holds queue pairs or identifiers of rdma_cm.
struct Process {
    std::uint32_t id = 0;
    std::string name;
    std::string memlock;      ///< bytes that it may lock, or unlimited; empty: not read
    bool may_exceed = false;  ///< the limit does not hold for it (CAP_IPC_LOCK)
    /// What its control group, or one above, has most of for the limit it was given
    /// (Documentation/admin-guide/cgroup-v2.rst, RDMA): `hca_object of mlx5_0`; empty: no limit.
    std::string rdma_object{};
    std::uint64_t rdma_used = 0;
    std::uint64_t rdma_limit = 0;
    bool operator==(const Process&) const = default;
};

/// By their numbers.
using Processes = std::vector<Process>;

}  // namespace core
