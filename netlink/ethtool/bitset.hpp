// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "netlink/transport/attributes.hpp"

namespace netlink {

/// The bits of a set, by their names (ETHTOOL_A_BITSET_*, net/ethtool/bitset.c): each once, in the
/// order of the names, and whether it is on; in a list without a mask those that are named are.
/// The names stay where they are in the message.
class Bitset {
public:
    using Bit = std::pair<std::string_view, bool>;

    explicit Bitset(const Attributes& bitset);
    [[nodiscard]] const std::vector<Bit>& bits() const { return bits_; }
    [[nodiscard]] bool contain(std::string_view name) const {
        return std::ranges::binary_search(bits_, name, {}, &Bit::first);
    }

private:
    std::vector<Bit> bits_;
};

}  // namespace netlink
