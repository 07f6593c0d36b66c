// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "core/plan/asked_names.hpp"

namespace cli {

/// The elements that profiles name of objects of which nobody can list all (ObjectRow::by_name):
/// the profiles of the command line, of /etc/rocectl and the shipped ones. Throws Error for one of
/// the command line that is not valid; any other such one is passed over.
core::AskedNames asked_by_profiles(const Options& options);

/// Everything there is to read of the host, and what is asked for by name.
core::State record(core::Kernel& kernel, const core::AskedNames& asked);

}  // namespace cli
