// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace core {

using Numbers = std::vector<std::uint64_t>;
using Words = std::vector<std::string>;
using Scalar = std::variant<std::uint64_t, std::string>;
/// Named parts of one element, such as a route; a part that was not stated is not there.
using Record = std::map<std::string, Scalar, std::less<>>;

/// One value of the state or of a wish. Which alternative it holds is fixed by the field's Shape.
using Value = std::variant<bool, std::uint64_t, std::string, Numbers, Words, Record>;

/// Orders element identities as a person would: numbers by value, everything else by text.
struct ElementLess {
    using is_transparent = void;
    bool operator()(std::string_view left, std::string_view right) const;
};

/// A field's whole value: one element named "" for a plain field, one per identity for a
/// collection (addresses by IP, DSCP by code point). Empty means: there is none.
using Elements = std::map<std::string, Value, ElementLess>;

/// The value as plan and show print it: `on`, `9000`, `[3]`, `192.168.1.0/24 via 10.0.0.1`.
std::string text(const Value& value);

}  // namespace core
