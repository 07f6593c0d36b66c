// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// One message of a change to a keyed table. The live host sends it, a state file plays it,
/// and `-o commands` spells it: one function decides how a change is made.
template <typename Entry>
struct Edit {
    enum class Kind : std::uint8_t { remove, add, replace };
    Kind kind = Kind::add;
    Entry entry;
    bool operator==(const Edit&) const = default;
};

}  // namespace core
