// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "core/plan/kernel.hpp"

namespace cli {

/// Elements named by profiles, of objects whose elements cannot be listed
/// (ObjectRow::read.by_name). Reads the profiles of the command line, of /etc/rocectl and the
/// shipped ones. Throws Error where a profile of the command line is invalid; other invalid ones
/// are skipped.
core::AskedNames asked_by_profiles(const Options& options);

/// All objects of the host, with the elements in `asked`.
core::State record(core::Kernel& kernel, const core::AskedNames& asked);

}  // namespace cli
