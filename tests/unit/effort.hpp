// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace effort {

/// How often a law tries what it draws, or which nth of what it lists it looks at: all by itself
/// and in tests/run full; a part where a person waits (tests/run sets TESTS_EFFORT), and under
/// sanitizers, where each step takes ten times as long. Of two lists within each other the nth
/// divides neither, so that no element of the one is left out for all of the other.
inline unsigned tries([[maybe_unused]] unsigned full, unsigned part) {
#ifdef __SANITIZE_ADDRESS__
    return part;
#else
    static const bool waited_for = std::getenv("TESTS_EFFORT") != nullptr;
    return waited_for ? part : full;
#endif
}

}  // namespace effort
