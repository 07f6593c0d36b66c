// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/ip.hpp"
#include "core/objects/ip/addresses.hpp"

namespace core {

struct Port;

/// Which hardware address an IP on the link has. Only permanent ones are stated; the others come
/// and go by themselves.
struct Neighbour {
    Ip ip;
    std::string mac{};                ///< empty while nobody has answered
    std::string state = "permanent";  ///< as ip-neighbour(8) names it
    [[nodiscard]] bool is_permanent() const { return state == "permanent"; }
    bool operator==(const Neighbour&) const = default;
};

using NeighbourBeyond = AddressBeyond;

}  // namespace core

namespace core::neighbours {

/// How to get from one neighbour table to another. Only permanent neighbours are edited.
std::vector<Edit<Neighbour>> edits(const std::vector<Neighbour>& now,
                                   const std::vector<Neighbour>& then);
/// Takes the neighbours of which the predicate is true, permanent or not.
void lose(Port& port, const std::function<bool(const Ip&)>& gone);

}  // namespace core::neighbours
