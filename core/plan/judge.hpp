// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/reading.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// The desired value with its element: an item of a list says itself which one it is.
Desired with_element(Desired desired);

/// Whether the port is as desired. What cannot be read is not as desired.
bool holds(const Reading& now, const Desired& desired);

/// Whether `holds` looks, for such a desired value, at no more of a port than the part of the
/// desired value's object, and what of it is refused, unknown or absent.
bool is_reported_by_part(const Desired& desired);

/// Whether the port holds the change after its write was played; a device that answers yes and
/// stores nothing is known to do so by its driver row.
bool takes_effect(const Reading& after, const Change& change);

/// Whether the port has what the desired value is about, so that a write can be planned.
bool reachable(const Reading& now, const Desired& desired);

/// Why a desired value cannot be had on this port: failure, unknown, or a note for an optional
/// desired value and for a derived one whose driver has no interface for it.
Finding unreachable(const Reading& now, const Desired& desired);

/// Where the desired value has to be so before anything is written, that is what is said of it.
Finding as_required(const Desired& desired, Finding finding);

/// `expected 9000, found 1500`: what verify says about a desired value that does not hold.
std::string expected_and_found(const Reading& now, const Desired& desired);

/// Lets the facts that are not as expected count, which a plan only notes.
void count_facts(std::vector<Finding>& found);

/// How much of what is desired a host holds.
struct Tally {
    std::size_t desired = 0;
    std::size_t held = 0;
    std::size_t optional = 0;  ///< not held, and optional
};
Tally tally(const DesiredState& desired_values, const State& now);

}  // namespace core
