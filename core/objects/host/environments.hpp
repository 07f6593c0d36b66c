// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A variable in the environment of a process that uses RDMA.
struct ProcessVariable {
    std::uint32_t process = 0;
    std::string program;  ///< the process's name
    std::string name;
    std::string value;
    bool operator==(const ProcessVariable&) const = default;
};

using Environments = std::vector<ProcessVariable>;

}  // namespace core

namespace core::environments {

/// What the names of those begin with that are kept. Of an environment nothing else is.
inline constexpr std::array<std::string_view, 4> kKept = {"NCCL_IB_", "UCX_IB_",
                                                          "UCX_NET_DEVICES=", "NVSHMEM_IB_"};

/// Whether `NAME=value` is kept.
bool is_kept(std::string_view assignment);

}  // namespace core::environments
