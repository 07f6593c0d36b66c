// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/reading.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// The wish with its element: an item of a list says itself which one it is.
Wish with_element(Wish wish);

/// Whether the port is as wished. What cannot be read is not as wished.
bool holds(const Reading& now, const Wish& wish);

/// Whether `holds` looks, for such a wish, at no more of a port than the part of the wish's object,
/// and what of it is refused, unknown or absent.
bool is_told_by_part(const Wish& wish);

/// Whether the port holds the change after its write was played; a device that answers yes and
/// stores nothing is known to do so by its driver row.
bool takes_effect(const Reading& after, const Change& change);

/// Whether the port has what the wish is about, so that a write can be planned.
bool reachable(const Reading& now, const Wish& wish);

/// Why a wish cannot be had on this port: failure, unknown, or a note for an optional wish and
/// for a derived one whose driver has no interface for it.
Finding unreachable(const Reading& now, const Wish& wish);

/// Where the wish has to be so before anything is written, that is what is said of it.
Finding as_required(const Wish& wish, Finding finding);

/// `expected 9000, found 1500`: what verify says about a wish that does not hold.
std::string expected_and_found(const Reading& now, const Wish& wish);

/// Lets the facts that are not as expected count, which a plan only notes.
void count_facts(std::vector<Finding>& found);

/// How much of what is wished a host holds.
struct Tally {
    std::size_t wished = 0;
    std::size_t held = 0;
    std::size_t optional = 0;  ///< not held, and optional
};
Tally tally(const Wishes& wishes, const State& now);

}  // namespace core
