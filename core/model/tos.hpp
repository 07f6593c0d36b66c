// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace core {

/// The byte of IPv4's ToS, which verbs calls the traffic class, for a DSCP: the code point, and
/// where `ecn` is so ECT(0), by which packets can be marked instead of dropped (RFC 3168, 5).
constexpr unsigned tos_of(unsigned dscp, bool ecn = true) {
    return dscp << 2U | (ecn ? 2U : 0U);
}

}  // namespace core
