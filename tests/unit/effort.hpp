// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace effort {

/// How often a law tries what it draws by chance: in full where the code is as it is packaged (tier
/// release), and a part of that under sanitizers, where each step takes ten times as long.
constexpr unsigned tries([[maybe_unused]] unsigned full, [[maybe_unused]] unsigned sanitized) {
#ifdef __SANITIZE_ADDRESS__
    return sanitized;
#else
    return full;
#endif
}

}  // namespace effort
