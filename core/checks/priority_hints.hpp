// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// What of a port says which priority RoCE is in.
struct PriorityHint {
    std::string_view name{};  ///< PFC, the DSCP map, ETS, the other end's PFC
    std::uint8_t priority = 0;
};

/// The settings of the port that say which priority is RoCE's, PFC first, with what each says. The
/// DSCP is that of RoCE. A setting that names no priority, or several, is left out.
std::vector<PriorityHint> priority_hints(const Port& port, std::optional<unsigned> dscp);

/// The DSCP that the map is asked for: what rdma_cm sends; where that is not known or 0, one that
/// an entry leads to the priority that PFC keeps, else the usual one where somebody mapped it.
std::optional<unsigned> telling_dscp(const Port& port);

/// The priority that the ports hint at.
struct InferredPriority {
    std::uint8_t priority = 0;
    bool by_ports = false;  ///< on some ports PFC and the map agree, on this alone
    bool clearly = false;   ///< more says this than any other
};
/// Nothing where neither PFC nor the map of any port says anything.
std::optional<InferredPriority> inferred_priority(std::span<const Port* const> ports);

}  // namespace core
