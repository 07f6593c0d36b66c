// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "core/profile/accepted_findings.hpp"

namespace cli {

/// What /etc/rocectl/accepted.json says is meant so on this host; nothing without that file. With
/// --state it is not used: the state is another host's. Throws Error (invalid_input).
std::vector<core::AcceptedFinding> read_accepted(const Options& options);
/// The same, and what the profile accepts.
std::vector<core::AcceptedFinding> with_accepted_by(std::vector<core::AcceptedFinding> here,
                                                    const core::Profile& profile,
                                                    const core::Variables& variables);

/// The day it is here, by the local time: 2026-11-29.
std::string today();

}  // namespace cli
