// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/doctor/examination.hpp"
#include "core/model/driver.hpp"

namespace core {

/// One row of the catalogue that was found, with all ports where it was: a cause, or what follows
/// from one.
struct Suspect {
    const FindingRow* row = nullptr;
    Verdict verdict = Verdict::warn;           ///< the worst of its checks, and of what follows
    Weight weight = Weight::harm;              ///< likewise
    std::vector<const Check*> checks{};        ///< one a port
    std::vector<const FindingRow*> follows{};  ///< what was found too, and follows from it
};

/// The causes of what was found, the one to look at first in front: a failure before a warning,
/// what is a risk alone behind what is broken, what stops all traffic before what harms it, what
/// explains more before what explains less, what is on more ports first, then by the order
/// of the catalogue; what is only not as the profile says comes after what is known to be wrong.
/// A finding that another one on the same ports explains is no cause, and is reported with that
/// one.
std::vector<Suspect> causes(const Examination& examination);

/// What tells whether it is so, and what would show that it is not, of the first port and process
/// that it was found at: `ethtool -S eth1` for `ethtool -S PORT`.
std::string test_of(const Suspect& cause);
std::string test_of(const Check& check);
std::string ruled_out_by(const Suspect& cause);

/// The lines an operator would type for the values that fix the fault, on the host as it is.
std::vector<std::string> fixing_commands(const State& now, const Fault& fault);
std::vector<std::string> fixing_commands(const State& now, std::span<const Desired> fix);
/// What the commands that fix the fault disturb at worst.
Disruption fixing_cost(const State& now, const Fault& fault);

/// The fix as a profile's entry states it: `"pfc": {"priorities": [3]}`; empty where there is
/// none.
std::string fixing_key(const Fault& fault);

}  // namespace core
