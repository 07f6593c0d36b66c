// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/value.hpp"

namespace core {

/// One named part of a record, such as a route's gateway.
struct RecordPart;

/// What values a field takes. Few and closed: parse, print, JSON, schema and comparison go by
/// shape, never by field.
struct Shape {
    /// A list holds a value for each of the eight priorities or traffic classes.
    static constexpr std::size_t list_length = 8;
    enum class Kind : std::uint8_t {
        flag,     ///< bool
        number,   ///< min..max
        counter,  ///< a number that only grows; `max` is where it wraps
        word,     ///< one of `words`, or, where max is not 0, a number min..max written as text
        set,      ///< Numbers: min..max, sorted, no duplicate; or Words, some of `words`
        list,     ///< Numbers: one of min..max for each of 8
        words,    ///< Words: one of `words` for each of 8
        text,     ///< free text of a kind
        record,   ///< Record of `parts`; may be absent
        map,      ///< collection: number key_min..key_max to number min..max; where the kernel
                  ///< holds several numbers for one key (never in a profile), Numbers
        named,    ///< collection: name to a value of shape `of`; the device or the kernel has the
                  ///< names, none comes or goes but where `come_and_go` says so, and `words` are
                  ///< some of them
        items,    ///< collection: a list of texts or records, identity is taken from the item
    };
    enum class Text : std::uint8_t {
        any,
        name,
        mac,
        pci,
        ip,
        address,
        prefix,
        network,
        line,
        cpus,
        selectors
    };

    Kind kind = Kind::number;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    std::span<const std::string_view> words{};
    Text text = Text::any;
    std::uint64_t key_min = 0;
    std::uint64_t key_max = 0;
    std::span<const RecordPart> parts{};  ///< of a record, or of each item; empty: items are texts
    const Shape* of = nullptr;            ///< of each value of what is named
    std::string_view bare{};  ///< the name that a value without one stands for, of what is named
    /// Why nothing may have the name, as what follows "found NAME, "; null where any may.
    std::optional<std::string> (*illegal_name)(std::string_view) = nullptr;
    /// The name that what people type stands for (ethtool's rx-checksumming for the kernel's
    /// rx-checksum); null where a thing has only one name.
    std::string_view (*canonical_name)(std::string_view) = nullptr;
    /// Spells a value of one element the way a read spells it, what was not stated filled in;
    /// null where a value has only one spelling.
    Value (*canonical)(const Value&) = nullptr;
    bool closed = false;       ///< what is named has the names of `words` and no others
    bool come_and_go = false;  ///< what is named can be added, and taken away by null
    /// What a text is the name of.
    enum class Names : std::uint8_t { nothing, port, rdma_device };
    Names names = Names::nothing;
};

struct RecordPart {
    std::string_view name;
    Shape shape;
    std::string_view doc;
    bool required = false;
    bool identity = false;            ///< two items that agree in all of these are the same element
    std::string_view absent_means{};  ///< what a missing part stands for, as text; "" for nothing
};

/// Several elements, each with an identity.
[[nodiscard]] bool is_collection(const Shape& shape);
/// A collection whose values do not say which element they are of.
[[nodiscard]] bool is_keyed(const Shape& shape);
/// A collection that can be stated to hold nothing else.
[[nodiscard]] bool can_be_exact(const Shape& shape);

/// What a text of a list is called where it stands in an object: address or name.
std::string_view item_part(const Shape& shape);

/// Why the shape does not admit the value, as "found X, expected Y"; nothing where it does.
std::optional<std::string> illegal(const Shape& shape, const Value& value);

/// What the shape admits, for people: `0..7`, `one of host, firmware`, `ADDRESS/LENGTH`.
std::string admits(const Shape& shape);

/// A text that people type, as reading it back would spell it: a MAC address with dashes or in
/// capitals. Any other is left as it is.
std::string as_read(Shape::Text text, std::string_view typed);

/// Whether a value is read back as it is stated.
[[nodiscard]] bool has_one_spelling(const Shape& shape);
/// The value as reading it back would spell it.
Value canonical(const Shape& shape, const Value& value);

/// The identity of an item of an `items` shape: `192.168.1.1`, `main 10.0.0.0/8 0`. A part that may
/// be missing and then stands for nothing is there by its name: `1000 ipv4 from 10.0.0.0/8`.
std::string identity(const Shape& shape, const Value& item);
/// The identity of an item that the shape spells already as it would print it.
std::string identity_of_spelled(const Shape& shape, const Value& spelled);

/// Values the shape admits that differ from each other, for the tests that walk the tables.
/// For a collection they are values of one element.
std::vector<Value> samples(const Shape& shape);

/// Identities that elements of a keyed collection may have; the empty one for any other shape.
std::vector<std::string> sample_keys(const Shape& shape);

}  // namespace core
