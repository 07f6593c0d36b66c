// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "cli/options.hpp"

namespace cli {

/// The options of `probe mesh`. A server that is asked to measure checks the options it receives
/// against these rows.
inline constexpr std::array kMeshOptions = {
    &option::secret,    &option::hosts_from,      &option::concurrency,    &option::dry_run,
    &option::force,     &option::operation,       &option::size,           &option::iterations,
    &option::bandwidth, &option::duration,        &option::queue_pairs,    &option::depth,
    &option::rate,      &option::completion,      &option::dscp,           &option::expect,
    &option::html,      &option::measuring_limit, &option::output_or_junit};

}  // namespace cli
