// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/ip.hpp"

namespace core::probe {

/// Which rail of this host is to send to which of the peer, by their places in the lists.
struct RailPair {
    std::size_t here = 0;
    std::size_t there = 0;
    bool operator==(const RailPair&) const = default;
};

/// Addresses with the lengths of their networks. Rails in one network belong together. Where both
/// hosts have as many, those that are left belong to the one in the same place of the other list,
/// as in fabrics where each rail is a network of its own at each host; where a rail is missing, no
/// place can be relied on. What has no counterpart is in no pair.
std::vector<RailPair> pair_rails(const std::vector<Prefix>& here, const std::vector<Prefix>& there);

/// The places of `rails` rails that are in no pair, by that side of the pairs.
std::vector<std::size_t> without_counterpart(const std::vector<RailPair>& pairs, std::size_t rails,
                                             std::size_t RailPair::*side);

}  // namespace core::probe
