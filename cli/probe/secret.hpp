// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlink/transport/host_path.hpp"

namespace cli {

/// The default file of the secret.
inline constexpr const char* kProbeSecret = "/etc/rocectl/probe.secret";

/// Reads the shared secret, without the newline at its end. Throws Error where the file cannot be
/// read, others may read it or, with `only_trusted`, could have written it, or it has less than 16
/// bytes.
std::string read_secret(const netlink::HostPath& file, bool only_trusted);

}  // namespace cli
