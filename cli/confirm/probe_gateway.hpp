// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// The gateways of the default routes in the main table, separated by blanks: `192.0.2.254
/// fe80::1%ens1f0`. There is no argument. Multipath routes are left out. Throws KernelError.
std::string default_gateways(const std::string& none);

/// Sends an echo request (RFC 792, RFC 4443) to each gateway. Empty where all answer within 3 s;
/// else why not. No gateway is a failure.
std::string gateways_fail(const std::string& gateways);

}  // namespace cli
