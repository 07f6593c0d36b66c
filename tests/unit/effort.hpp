// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace effort {

/// How often a law tries what it draws, or which nth of what it lists it looks at: all where the
/// code is as it is packaged (tier release), and a part under sanitizers, where each step takes ten
/// times as long. Of two lists within each other the nth divides neither, so that no element of the
/// one is left out for all of the other.
constexpr unsigned tries([[maybe_unused]] unsigned full, [[maybe_unused]] unsigned sanitized) {
#ifdef __SANITIZE_ADDRESS__
    return sanitized;
#else
    return full;
#endif
}

}  // namespace effort
