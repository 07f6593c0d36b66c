// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.hpp"
#include "core/json/tree.hpp"
#include "core/model/field.hpp"

namespace core {

/// Reads values by shape. Of stated ones `${…}` is still open and absence can be said; elsewhere
/// neither means anything. Of observed ones only the kind of JSON is looked at.
class ValueReader {
public:
    ValueReader(Values values, Problems& problems) : values_(values), problems_(problems) {}

    [[nodiscard]] bool stated() const { return values_ == Values::stated; }
    [[nodiscard]] bool observed() const { return values_ == Values::observed; }
    /// Whether the value is a `${…}` that is not substituted yet.
    [[nodiscard]] bool open(const Node& node) const;

    /// Nothing where it is invalid, and a problem, or still open.
    std::optional<Value> plain(const Shape& shape, const Node& node, const Pointer& pointer);
    /// The parts of one element. An element stated as `absent` needs only its identifying parts.
    std::optional<Value> record(const Shape& shape, const Node& node, const Pointer& pointer,
                                bool absent);

    void problem(const Place& place, const Pointer& pointer, std::string text);
    /// `found 9, expected 68..65535`
    void wrong(const Shape& shape, const Node& node, const Pointer& pointer);

private:
    std::optional<Value> list(const Shape& shape, const Node& node, const Pointer& pointer);

    Values values_;
    Problems& problems_;
};

/// What states that an element of a list should not be there.
constexpr std::string_view kAbsent = "absent";

/// Why the collection has no such key: `found '64', expected 0..63`; nothing where it may. A kernel
/// may hold such a one (net/dcb/dcbnl.c dcb_ieee_setapp looks at no range).
std::optional<std::string> illegal_key(const Shape& shape, const std::string& key);

std::optional<std::uint64_t> whole_number(std::string_view text);
bool is_reference(const Node& node);

}  // namespace core
