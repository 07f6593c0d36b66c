// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Whether every default gateway of the main table answers an echo request (RFC 792, RFC 4443)
/// within 3 s; else why not. No gateway is a failure.
std::string gateway_fails(const std::string& nothing);

}  // namespace cli
