// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"

namespace cli {

/// Throws Error (usage) for the first option on the command line that no part of the measurement
/// uses, since it would be ignored silently. `measuring` is what is measured: the options,
/// completed by the profile.
void refuse_unfit(const Options& options, const core::probe::Measuring& measuring);

/// Reads the shared secret, without the newline at its end. Throws Error where the file cannot be
/// read, others may read it or, with `only_trusted`, could have written it, or it has less than 16
/// bytes.
std::string read_secret(const std::string& file, bool only_trusted);

}  // namespace cli
