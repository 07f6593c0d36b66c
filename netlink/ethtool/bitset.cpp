// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/bitset.hpp"

#include <linux/ethtool_netlink.h>

#include <cstring>

namespace netlink {
namespace {

std::string_view text_in(Bytes bytes) {
    const auto* const start = reinterpret_cast<const char*>(bytes.data());
    return {start, strnlen(start, bytes.size())};
}

}  // namespace

Bitset::Bitset(const Attributes& bitset) {
    const bool only_set = bitset.find(ETHTOOL_A_BITSET_NOMASK).has_value();
    bitset.nested(ETHTOOL_A_BITSET_BITS).for_each([&](int type, Bytes payload) {
        if (type != ETHTOOL_A_BITSET_BITS_BIT) return;
        Bit bit{{}, only_set};
        Attributes(payload).for_each([&bit](int part, Bytes value) {
            if (part == ETHTOOL_A_BITSET_BIT_VALUE) bit.second = true;
            if (part == ETHTOOL_A_BITSET_BIT_NAME && bit.first.empty()) bit.first = text_in(value);
        });
        if (!bit.first.empty()) bits_.push_back(bit);
    });
    std::ranges::stable_sort(bits_, {}, &Bit::first);
    // std::ranges::unique is beyond clang 14 with the library of GCC 12.
    const auto same_name = [](const Bit& one, const Bit& other) {
        return one.first == other.first;
    };
    bits_.erase(std::unique(bits_.begin(), bits_.end(), same_name), bits_.end());
}

}  // namespace netlink
