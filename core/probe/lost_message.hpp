// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace core::probe {

/// A message that the path lost, and the sizes that passed; all sizes in bytes.
struct LostMessage {
    std::string operation{};  ///< "send", "write with immediate"
    std::uint64_t size = 0;
    std::uint64_t passed = 0;   ///< the largest of the same operation; 0 where none did
    std::uint64_t carried = 0;  ///< the largest of any operation whose data goes the same way
    std::string why{};          ///< how the loss was seen
};

/// The failure found, and advice on it.
struct LostWords {
    std::string failure{};
    std::string advice{};
};

/// Whether the size is what loses it: so it is where no larger message went the same way and
/// smaller ones did, from the smallest RDMA MTU of 256 bytes on. Nothing where no more can be said
/// than that nothing passes.
std::optional<LostWords> words_of(const LostMessage& lost);

}  // namespace core::probe
