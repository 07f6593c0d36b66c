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

/// Hears the elements of a list one after the other: each a text, or a record that opens, has parts
/// in the order of its table, and closes.
class Listing {
public:
    virtual ~Listing() = default;
    virtual void text(std::string_view value) = 0;
    virtual void open() = 0;
    virtual void part(std::string_view name, std::string_view value) = 0;
    virtual void part(std::string_view name, std::uint64_t value) = 0;
    virtual void close() = 0;
};

/// Of a list of which a host may have a hundred thousand: what a field's get and set do, without
/// elements between a file and the port.
struct Listed {
    /// Whether the part was read.
    bool (*is_there)(const Port&);
    /// What `get` gives, in its order.
    void (*tell)(const Port&, Listing&);
    /// Makes the part, with none of them and room for so many.
    void (*clear)(Port&, std::size_t room);
    /// Adds one behind the others, as `set` would of its canonical value, and says which it is.
    void (*add)(Port&, const Value&, std::string& identity);
    /// Keeps of so many that were added the places that the order has, in that order.
    void (*arrange)(Port&, std::size_t added, std::span<const std::uint32_t> order);
};

/// Puts things in the order of their names, which are no numbers (ElementLess).
class NameOrder {
public:
    void add(std::string_view name);
    /// Whether they came in their order, none of them twice.
    [[nodiscard]] bool is_in_order() const { return in_order_; }
    /// Their places in that order; of those with one name the first that was added.
    [[nodiscard]] std::vector<std::uint32_t> order() const;
    [[nodiscard]] std::string_view name(std::size_t place) const;

private:
    std::string names_{};
    std::vector<std::uint32_t> ends_{};
    bool in_order_ = true;
};

}  // namespace core
