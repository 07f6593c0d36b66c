// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// A setting of a port that suggests which priority RoCE uses.
struct PriorityHint {
    std::string_view name{};  ///< PFC, the DSCP map, ETS, the other end's PFC
    std::uint8_t priority = 0;
};

/// The hints of a port, PFC first; `dscp` is RoCE's, looked up in the DSCP map. A setting that
/// names no priority or several gives no hint.
std::vector<PriorityHint> priority_hints(const Port& port, std::optional<unsigned> dscp);

/// The DSCP to look up in the map: rdma_cm's, unless unknown or 0; else a DSCP mapped to the
/// priority with PFC; else 26 (the preset) if somebody mapped it.
std::optional<unsigned> telling_dscp(const Port& port);

/// The priority that the ports' hints suggest.
struct InferredPriority {
    std::uint8_t priority = 0;
    bool by_ports = false;  ///< PFC and the map agree on it on more ports than on any other
    bool clearly = false;   ///< it has more hints than any other
};
/// Nothing where neither PFC nor the DSCP map of any port gives a hint.
std::optional<InferredPriority> inferred_priority(std::span<const Port* const> ports);

}  // namespace core
