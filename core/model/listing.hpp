// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/value.hpp"

namespace core {

struct Port;

/// Receives the elements of a list one by one: a text, or a record as open(), its parts in the
/// order of the shape, and close().
class Listing {
public:
    virtual ~Listing() = default;
    virtual void text(std::string_view value) = 0;
    virtual void open() = 0;
    virtual void part(std::string_view name, std::string_view value) = 0;
    virtual void part(std::string_view name, std::uint64_t value) = 0;
    virtual void close() = 0;
};

/// How to read and write a field that may have a hundred thousand elements without copying them
/// into Elements. Does what Field::get and Field::set do.
struct Listed {
    /// Whether the part was read.
    bool (*is_there)(const Port&);
    /// Lists the elements in the order of `get`.
    void (*tell)(const Port&, Listing&);
    /// Creates an empty part with room for this many elements.
    void (*clear)(Port&, std::size_t room);
    /// Appends an element as `set` would, from its canonical value, and tells its identity.
    void (*add)(Port&, const Value&, std::string& identity);
    /// Keeps, of the last `added` elements, those at the positions in `order`, in that order.
    void (*arrange)(Port&, std::size_t added, std::span<const std::uint32_t> order);
};

/// Sorts names bytewise. Only for names that are not numbers, on which ElementLess agrees.
class NameOrder {
public:
    void add(std::string_view name);
    /// Whether the names came sorted and without duplicates.
    [[nodiscard]] bool is_in_order() const { return in_order_; }
    /// Their positions when sorted; of equal names only the first that was added.
    [[nodiscard]] std::vector<std::uint32_t> order() const;
    [[nodiscard]] std::string_view name(std::size_t place) const;

private:
    std::string names_{};
    std::vector<std::uint32_t> ends_{};
    bool in_order_ = true;
};

}  // namespace core
