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

/// The type of a field's values. Parsing, printing, JSON, the schema and comparison depend on the
/// shape only, never on the field.
struct Shape {
    /// Length of a list: one value per priority or traffic class.
    static constexpr std::size_t list_length = 8;
    enum class Kind : std::uint8_t {
        flag,     ///< bool
        number,   ///< min..max
        counter,  ///< a number that only grows; wraps around at `max`
        word,     ///< one of `words` or, where max is not 0, a number min..max written as text
        set,      ///< Numbers min..max, or Words of `words`; sorted, without duplicates
        list,     ///< Numbers: a value min..max for each of the 8
        words,    ///< Words: one of `words` for each of the 8
        text,     ///< text in the form of `text`
        record,   ///< a Record of `parts`; may be absent
        /// Collection: a number key_min..key_max to a number min..max. Numbers where the kernel
        /// has several for one key, which a profile may not state.
        map,
        /// Collection: a name to a value of shape `of`. The device or the kernel defines the
        /// names, of which `words` are some; elements are added and removed only where
        /// `come_and_go` is set.
        named,
        /// Collection: a list of texts or records that identify themselves (see identity()).
        items,
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
    const Shape* of = nullptr;            ///< `named`: the shape of the values
    std::string_view bare{};              ///< `named`: the name that a value without a name is for
    /// Why the name is not allowed, to follow "found NAME, "; null where any is.
    std::optional<std::string> (*illegal_name)(std::string_view) = nullptr;
    /// Translates a name that people use to the kernel's (ethtool's rx-checksumming to
    /// rx-checksum); null where there is only one name.
    std::string_view (*canonical_name)(std::string_view) = nullptr;
    /// Spells an element's value as a read spells it, with defaults filled in; null where a value
    /// has only one spelling.
    Value (*canonical)(const Value&) = nullptr;
    bool closed = false;       ///< `named`: only the names of `words` exist
    bool come_and_go = false;  ///< `named`: elements can be added, and removed by null
    /// What the text names, for completion and checks.
    enum class Names : std::uint8_t { nothing, port, rdma_device };
    Names names = Names::nothing;
};

struct RecordPart {
    std::string_view name;
    Shape shape;
    std::string_view doc;
    bool required = false;
    bool identity = false;  ///< items that agree in all identity parts are the same element
    std::string_view absent_means{};  ///< the value that a missing part means, as text; "": none
};

/// Whether values consist of several elements, each with an identity.
[[nodiscard]] bool is_collection(const Shape& shape);
/// Whether it is a collection whose values do not tell which element they are of.
[[nodiscard]] bool is_keyed(const Shape& shape);
/// Whether a profile may state that the collection holds nothing else.
[[nodiscard]] bool can_be_exact(const Shape& shape);

/// The name of an item's text when the item is written as an object: address or name.
std::string_view item_part(const Shape& shape);

/// Why the shape does not allow the value, as "found X, expected Y"; nothing where it does.
std::optional<std::string> illegal(const Shape& shape, const Value& value);

/// What the shape allows, for people: `0..7`, `one of host, firmware`, `ADDRESS/LENGTH`.
std::string admits(const Shape& shape);

/// Converts a text to the form in which it is read back: a MAC address with dashes or capitals.
/// Other texts are returned unchanged.
std::string as_read(Shape::Text text, std::string_view typed);

/// Whether values are read back exactly as stated.
[[nodiscard]] bool has_one_spelling(const Shape& shape);
/// The value in the form in which it is read back.
Value canonical(const Shape& shape, const Value& value);

/// The identity of an item of an `items` shape: `192.168.1.1`, `main 10.0.0.0/8 0`. Optional parts
/// without a default are preceded by their name: `1000 ipv4 from 10.0.0.0/8`.
std::string identity(const Shape& shape, const Value& item);
/// The same for an item that is already in canonical form.
std::string identity_of_spelled(const Shape& shape, const Value& spelled);

/// Different values that the shape allows, for the tests that walk the tables. For a collection,
/// values of one element.
std::vector<Value> samples(const Shape& shape);

/// Identities that elements of a keyed collection may have; one empty identity for other shapes.
std::vector<std::string> sample_keys(const Shape& shape);

}  // namespace core
