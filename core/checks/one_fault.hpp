// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/checks/evidence.hpp"
#include "core/model/bits.hpp"
#include "core/model/driver.hpp"

namespace core {

using Keys = std::string_view;

/// A single fault with this text, as all that a row finds. Of the desired values, the first stated
/// one for the row's keys is to blame, else the first derived.
[[nodiscard]] inline Faults fault(std::string text) {
    return {Fault{.text = std::move(text)}};
}

/// A priority that is none of the eight, which a kernel may have, is not.
[[nodiscard]] inline bool is_lossless(const Port& port, unsigned priority) {
    return port.pfc && (port.pfc->priorities & bit_of(priority)) != 0;
}

}  // namespace core
