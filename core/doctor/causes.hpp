// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/doctor/examination.hpp"
#include "core/model/driver.hpp"

namespace core {

/// A row of the catalogue that was found, with all of its ports: a cause, or a consequence of one.
struct Suspect {
    const FindingRow* row = nullptr;
    Verdict verdict = Verdict::warn;           ///< the worst of its checks, and of what follows
    Weight weight = Weight::harm;              ///< likewise
    std::vector<const Check*> checks{};        ///< one a port
    std::vector<const FindingRow*> follows{};  ///< what was found too, and follows from it
};

/// The causes of the findings, most urgent first. Order: failures before warnings; faults before
/// mere risks; faults that stop all traffic before those that harm it; more findings explained,
/// then more ports, before fewer; then the order of the catalogue. Mere differences from the
/// profile come after known faults. A finding explained by another one on the same ports is no
/// cause, and is reported with that one.
std::vector<Suspect> causes(const Examination& examination);

/// The test that confirms a cause, and the evidence that would rule it out, for the first port and
/// process where it was found: `ethtool -S eth1` for `ethtool -S PORT`.
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
