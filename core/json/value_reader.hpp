// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/tree.hpp"
#include "core/model/field.hpp"

namespace core {

/// Reads values by shape. In a profile `${…}` is still open and absence can be stated; in a state
/// neither means anything.
class ValueReader {
public:
    enum class Source : std::uint8_t { profile, state };
    ValueReader(Source source, Problems& problems) : source_(source), problems_(problems) {}

    [[nodiscard]] Source source() const { return source_; }
    /// Whether the value is a `${…}` that is not substituted yet.
    [[nodiscard]] bool open(const Node& node) const;

    /// Nothing where it is wrong, which is then said, or still open.
    std::optional<Value> plain(const Shape& shape, const Node& node, const std::string& pointer);
    /// Of an element that is stated to be absent only the identity is asked for.
    std::optional<Value> record(const Shape& shape, const Node& node, const std::string& pointer,
                                bool absent);

    void problem(const Place& place, const std::string& pointer, std::string text);
    /// `found 9, expected 68..65535`
    void wrong(const Shape& shape, const Node& node, const std::string& pointer);

private:
    std::optional<Value> list(const Shape& shape, const Node& node, const std::string& pointer);

    Source source_;
    Problems& problems_;
};

/// What states that an element of a list should not be there.
constexpr std::string_view kAbsent = "absent";

std::optional<std::uint64_t> whole_number(std::string_view text);
bool is_reference(const Node& node);

}  // namespace core
