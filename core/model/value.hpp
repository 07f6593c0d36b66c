// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace core {

using Numbers = std::vector<std::uint64_t>;
using Words = std::vector<std::string>;
using Scalar = std::variant<std::uint64_t, std::string>;
/// Named parts of one element, such as a route, sorted by name. Parts that were not stated are left
/// out. A vector and not a map, as a host may have a hundred thousand of them.
class Record {
public:
    using value_type = std::pair<std::string, Scalar>;
    using iterator = std::vector<value_type>::iterator;
    using const_iterator = std::vector<value_type>::const_iterator;

    Record() = default;
    Record(std::initializer_list<value_type> parts);

    [[nodiscard]] const_iterator begin() const { return parts_.begin(); }
    [[nodiscard]] const_iterator end() const { return parts_.end(); }
    [[nodiscard]] iterator begin() { return parts_.begin(); }
    [[nodiscard]] iterator end() { return parts_.end(); }
    [[nodiscard]] std::size_t size() const { return parts_.size(); }
    [[nodiscard]] bool empty() const { return parts_.empty(); }
    [[nodiscard]] const_iterator find(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const { return find(name) != end(); }
    [[nodiscard]] const Scalar& at(std::string_view name) const;

    /// Reserves room for this many parts.
    void reserve(std::size_t parts) { parts_.reserve(parts); }
    Scalar& operator[](std::string_view name);
    /// Adds the part unless it is already there.
    void emplace(std::string_view name, Scalar value);
    std::size_t erase(std::string_view name);

    bool operator==(const Record&) const = default;
    auto operator<=>(const Record&) const = default;

private:
    [[nodiscard]] iterator place_of(std::string_view name);

    std::vector<value_type> parts_;
};

/// A value of the state or of a profile. The field's Shape determines which alternative it holds.
using Value = std::variant<bool, std::uint64_t, std::string, Numbers, Words, Record>;

/// Sorts element identities as a person would: numbers by value, everything else as text.
struct ElementLess {
    using is_transparent = void;
    bool operator()(std::string_view left, std::string_view right) const;
};

/// A field's whole value: one element named "" for a plain field, one per identity for a collection
/// (addresses by IP, DSCP by code point). Empty means that there is none.
using Elements = std::map<std::string, Value, ElementLess>;

/// The value as plan and show print it: `on`, `9000`, `[3]`, `192.168.1.0/24 via 10.0.0.1`.
std::string text(const Value& value);

}  // namespace core
