// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/reading.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// Fills in the element of an item of a list, which follows from its value.
Desired with_element(Desired desired);

/// Whether the port has the desired value. False where it cannot be read.
bool holds(const Reading& now, const Desired& desired);

/// Whether `holds` depends only on the port's part of the desired value's object and on whether
/// that is refused, unknown or absent. Then a change of other parts cannot change the answer.
bool depends_on_part_only(const Desired& desired);

/// Whether the port has the change after its write was played. False for a device whose driver row
/// says that it accepts the write and does not store it.
bool takes_effect(const Reading& after, const Change& change);

/// Whether the port has this setting or fact at all, so that a write can be planned.
bool reachable(const Reading& now, const Desired& desired);

/// Why the port cannot have the desired value: a failure, an unknown where reading failed, or a
/// note where the value is optional, or derived and the driver has no interface for it.
Finding unreachable(const Reading& now, const Desired& desired);

/// `rdma.gids is not recorded in this state`, of what a live host always tells.
std::string not_recorded(const Field& field);

/// The finding as it is; where the profile requires the value, under the id `required`, which keeps
/// the plan from being applied, and no longer as a note.
Finding as_required(const Desired& desired, Finding finding);

/// `expected 9000, found 1500`: what verify says about a desired value that is not met.
std::string expected_and_found(const Reading& now, const Desired& desired);

/// Raises findings about facts that differ from the profile from notes, as a plan has them, to the
/// level of their row.
void count_facts(std::vector<Finding>& found);

/// How many of the desired values a host meets.
struct Tally {
    std::size_t desired = 0;
    std::size_t held = 0;
    std::size_t optional = 0;  ///< not met, and optional
};
Tally tally(const DesiredState& desired_values, const State& now);

}  // namespace core
