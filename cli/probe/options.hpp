// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace cli {

/// The options that say what is measured of a path and how, of more than one command.
namespace option {
extern const OptionRow force;
extern const OptionRow device;
extern const OptionRow port;
extern const OptionRow operation;
extern const OptionRow bandwidth;
extern const OptionRow direction;
extern const OptionRow size;
extern const OptionRow iterations;
extern const OptionRow queue_pairs;
extern const OptionRow depth;
extern const OptionRow duration;
extern const OptionRow rate;
extern const OptionRow dscp;
extern const OptionRow completion;
extern const OptionRow expect;
extern const OptionRow probe_time_limit;
extern const OptionRow output_or_perftest;
}  // namespace option

/// Throws Error (usage) for the first option on the command line that no part of the measurement
/// uses, since it would be ignored silently. `parameters` is what is measured: the options,
/// completed by the profile.
void refuse_unfit(const Options& options, const core::probe::Parameters& parameters);

}  // namespace cli
