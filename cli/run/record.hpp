// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "cli/options.hpp"
#include "core/plan/kernel.hpp"

namespace cli {

/// Elements by object, to be asked for by name.
using Asked = std::map<core::Object, std::set<std::string>>;

/// What the profiles name that are named, those of /etc/rocectl and the shipped ones, of which a
/// host has more than can be listed. Of the latter two, one that is not valid is passed over.
/// Throws Error.
Asked asked_by_profiles(const Options& options);

/// Everything there is to read of the host, and what is asked for by name.
core::State record(core::Kernel& kernel, const Asked& asked);

}  // namespace cli
