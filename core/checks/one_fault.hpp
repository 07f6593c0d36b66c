// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/checks/evidence.hpp"
#include "core/model/bits.hpp"
#include "core/model/driver.hpp"

namespace core {

using Keys = std::string_view;

/// A single fault with this text and no fix. examine blames a desired value of the row's keys for
/// it: the first stated one, else the first derived.
[[nodiscard]] inline Faults fault(std::string text) {
    return {Fault{.text = std::move(text)}};
}

/// Whether PFC is on for the priority. False for numbers above 7, which a kernel may report.
[[nodiscard]] inline bool is_lossless(const Port& port, unsigned priority) {
    return port.pfc && (port.pfc->priorities & bit_of(priority)) != 0;
}

}  // namespace core
