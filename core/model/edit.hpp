// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// One message of a change to a keyed table. One function per object computes the edits; the live
/// host sends them, a state file plays them and `-o commands` spells them.
template <typename Entry>
struct Edit {
    enum class Kind : std::uint8_t { remove, add, replace };
    Kind kind = Kind::add;
    Entry entry;
    bool operator==(const Edit&) const = default;
};

}  // namespace core
