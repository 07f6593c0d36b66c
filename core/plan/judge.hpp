// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.hpp"

namespace core {

/// Whether the port is as wished. What cannot be read is not as wished.
bool holds(const Port& port, const Wish& wish);

/// Whether the port holds the change after its write was played; a device that answers yes and
/// stores nothing is known to do so by its driver row.
bool takes_effect(const Port& after, const Change& change);

/// Whether the port has what the wish is about, so that a write can be planned.
bool reachable(const Port& port, const Wish& wish);

/// Why a wish cannot be had on this port: failure, unknown, or a note for an optional wish and
/// for a derived one whose driver has no interface for it.
Finding unreachable(const Port& port, const Wish& wish);

/// `expected 9000, found 1500`: what verify says about a wish that does not hold.
std::string expected_and_found(const Port& port, const Wish& wish);

}  // namespace core
