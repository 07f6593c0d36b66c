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

/// Addresses with the lengths of their networks. Rails in one network belong together; those that
/// are left belong to the one in the same place of the other list, as in fabrics where each rail is
/// a network of its own at each host. What has no counterpart is in no pair.
std::vector<RailPair> pair_rails(const std::vector<Prefix>& here, const std::vector<Prefix>& there);

}  // namespace core::probe
