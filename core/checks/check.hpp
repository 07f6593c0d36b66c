// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/driver.hpp"
#include "core/model/state.hpp"

namespace core {

/// A relation between settings that must hold. It speaks only where all it needs is known.
struct Check {
    std::string_view id;  ///< stable: pfc-with-rx-pause
    std::string_view group;
    std::string_view why;
    /// Keys of the settings it looks at, the one to blame first.
    std::span<const std::string_view> needs;
    std::optional<std::string> (*fails)(const Driver&, const Port&);
    std::string_view remedy;
};

std::span<const Check> checks();

}  // namespace core
