// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "core/plan/asked_names.hpp"

namespace cli {

/// What the profiles name that are named, those of /etc/rocectl and the shipped ones, of which a
/// host has more than can be listed. Of the latter two, one that is not valid is passed over.
/// Throws Error.
core::AskedNames asked_by_profiles(const Options& options);

/// Everything there is to read of the host, and what is asked for by name.
core::State record(core::Kernel& kernel, const core::AskedNames& asked);

}  // namespace cli
