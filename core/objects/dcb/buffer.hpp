// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/priority.hpp"

namespace core {

/// The port's receive buffers, as struct dcbnl_buffer holds them.
struct Buffer {
    PerPriority<std::uint8_t> of_priority{};  ///< which of the eight buffers
    PerPriority<std::uint32_t> size{};        ///< bytes of each buffer
    std::uint32_t total = 0;                  ///< bytes that the eight may come to
    bool operator==(const Buffer&) const = default;
};

}  // namespace core

namespace core::buffer {

/// What to write one after the other so that no lossless priority is ever in a buffer that is too
/// small: mlx5 checks a new mapping against the old sizes (mlx5e_port_manual_buffer_config). First
/// both sizes side by side, then the mapping, then the new sizes; at once where that is the same,
/// or there is no room for it. Nothing where nothing differs.
std::vector<Buffer> edits(const Buffer& now, const Buffer& then);

}  // namespace core::buffer
