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

/// Pairs the rails of two hosts, given as addresses with prefix lengths. Rails in one network are a
/// pair. If both hosts have the same number, the remaining rails pair by position, as in fabrics
/// with a network for each rail and host; with a rail missing, positions cannot be trusted. Rails
/// without a counterpart are in no pair.
std::vector<RailPair> pair_rails(const std::vector<Prefix>& here, const std::vector<Prefix>& there);

/// The indices, out of `rails` rails, that are in no pair on that side.
std::vector<std::size_t> without_counterpart(const std::vector<RailPair>& pairs, std::size_t rails,
                                             std::size_t RailPair::*side);

}  // namespace core::probe
