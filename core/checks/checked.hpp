// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/model/driver.hpp"
#include "core/model/state.hpp"

namespace core {

using Reason = std::optional<std::string>;
using Keys = std::string_view;

[[nodiscard]] inline bool is_lossless(const Port& port, unsigned priority) {
    return port.pfc && ((unsigned{port.pfc->priorities} >> priority) & 1U) != 0;
}

}  // namespace core
