// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// Numbers that look like chance, the same for the same seed: SplitMix64 (Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t out = state_;
        out = (out ^ (out >> 30U)) * 0xbf58476d1ce4e5b9U;
        out = (out ^ (out >> 27U)) * 0x94d049bb133111ebU;
        return out ^ (out >> 31U);
    }

private:
    std::uint64_t state_;
};

}  // namespace core
