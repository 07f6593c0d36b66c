// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/model/driver.hpp"
#include "core/model/object.hpp"

namespace core {

using Reason = std::optional<std::string>;
using Refused = std::optional<Refusal>;

/// The row of each object, in its own namespace.
#define CORE_ROW(name, ...)     \
    namespace name {            \
    extern const ObjectRow row; \
    }
CORE_OBJECTS(CORE_ROW, CORE_ROW, CORE_ROW)
#undef CORE_ROW

}  // namespace core
