// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "core/model/field.hpp"

namespace core {

/// Ready-made get and set functions for a Field that is one member of one part of a port, named
/// after the field's shape. Fields that need more have their functions beside their rows.

inline constexpr std::uint64_t kU32 = 0xffffffff;
inline constexpr std::uint64_t kU64 = ~std::uint64_t{0};

inline constexpr Shape kFlag = {.kind = Shape::Kind::flag};  ///< a named flag

constexpr Field setting(std::string_view key, const Shape& shape, std::string_view doc,
                        decltype(Field::get) get, decltype(Field::set) set,
                        decltype(Field::same) same = nullptr) {
    return {.key = key,
            .use = Field::Use::setting,
            .shape = shape,
            .doc = doc,
            .get = get,
            .set = set,
            .same = same};
}
constexpr Field fact(std::string_view key, const Shape& shape, std::string_view doc,
                     decltype(Field::get) get, decltype(Field::set) set,
                     const Proof* proves = nullptr) {
    return {.key = key,
            .use = Field::Use::fact,
            .shape = shape,
            .doc = doc,
            .get = get,
            .set = set,
            .proves = proves};
}

constexpr Field kept(std::string_view key, const Shape& shape, std::string_view doc,
                     decltype(Field::get) get, decltype(Field::set) set) {
    return {
        .key = key, .use = Field::Use::kept, .shape = shape, .doc = doc, .get = get, .set = set};
}
constexpr Field beyond(std::string_view key, const Shape& shape, std::string_view doc,
                       decltype(Field::get) get, decltype(Field::set) set) {
    return {.key = key,
            .use = Field::Use::fact,
            .irreplaceable = true,
            .shape = shape,
            .doc = doc,
            .get = get,
            .set = set};
}

/// Marks a field as a list that may be long.
constexpr Field with(const Listed& listed, Field field) {
    field.listed = &listed;
    return field;
}

/// The last part of records with attributes that no setting can hold: it names them in words.
inline constexpr RecordPart kWhat{.name = "what",
                                  .shape = {.kind = Shape::Kind::text},
                                  .doc = "What it has beside, as ip(8) names it.",
                                  .required = true,
                                  .identity = true};
/// The parts of a record followed by kWhat.
template <std::size_t N>
constexpr std::array<RecordPart, N + 1> with_what(const std::array<RecordPart, N>& parts) {
    std::array<RecordPart, N + 1> out{};
    std::ranges::copy(parts, out.begin());
    out.back() = kWhat;
    return out;
}

using Got = std::optional<Elements>;

inline Elements one(Value value) {
    return {{std::string(), std::move(value)}};
}

/// The value of a plain field; T{} where there is none or it has another type.
template <typename T>
T plain(const Elements& elements) {
    const auto found = elements.find(std::string_view());
    if (found == elements.end()) return T{};
    const T* value = std::get_if<T>(&found->second);
    return value == nullptr ? T{} : *value;
}

template <auto Part>
auto& part_of(Port& port) {
    if (!(port.*Part)) (port.*Part).emplace();
    return *(port.*Part);
}

template <auto Part, auto Member>
std::optional<Elements> get_flag(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    return one((*(port.*Part)).*Member);
}
template <auto Part, auto Member>
void set_flag(Port& port, const Elements& elements) {
    part_of<Part>(port).*Member = plain<bool>(elements);
}

template <auto Part, auto Member>
std::optional<Elements> get_number(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    return one(std::uint64_t{(*(port.*Part)).*Member});
}
template <auto Part, auto Member>
void set_number(Port& port, const Elements& elements) {
    auto& member = part_of<Part>(port).*Member;
    member = static_cast<std::remove_reference_t<decltype(member)>>(plain<std::uint64_t>(elements));
}

/// A number that a driver may leave out of a part that it otherwise reports.
template <auto Part, auto Member>
std::optional<Elements> get_reported(const Port& port) {
    if (!(port.*Part) || !((*(port.*Part)).*Member)) return std::nullopt;
    return one(std::uint64_t{*((*(port.*Part)).*Member)});
}
template <auto Part, auto Member>
void set_reported(Port& port, const Elements& elements) {
    auto& member = part_of<Part>(port).*Member;
    member.reset();
    if (!elements.empty()) member = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

/// The part itself, or the named member of it.
template <auto... Member>
auto& inside(auto& part) {
    return (part.*....*Member);
}

/// A map from names to values, as elements: the part itself or one member of it.
template <auto Part, auto... Member>
std::optional<Elements> get_named(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    const auto& named = inside<Member...>(*(port.*Part));
    return Elements(named.begin(), named.end());
}
template <auto Part, auto... Member>
void set_named(Port& port, const Elements& elements) {
    auto& named = inside<Member...>(part_of<Part>(port));
    using Held = typename std::remove_reference_t<decltype(named)>::mapped_type;
    named.clear();
    for (const auto& [name, value] : elements)
        named.emplace(name, std::get<Held>(value));
}

/// A set of names, as elements whose value is their name.
template <auto Part, auto Member>
std::optional<Elements> get_listed(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    Elements elements;
    for (const std::string& name : (*(port.*Part)).*Member)
        elements.emplace(name, name);
    return elements;
}
template <auto Part, auto Member>
void set_listed(Port& port, const Elements& elements) {
    auto& listed = part_of<Part>(port).*Member;
    listed.clear();
    for (const auto& [name, value] : elements)
        listed.insert(name);
}

/// A text as a plain value; an empty text is no value.
template <auto Part, auto Member>
std::optional<Elements> get_text(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    const std::string& member = (*(port.*Part)).*Member;
    return member.empty() ? Elements{} : one(member);
}
template <auto Part, auto Member>
void set_text(Port& port, const Elements& elements) {
    part_of<Part>(port).*Member = plain<std::string>(elements);
}

template <auto Part, auto Member>
std::optional<Elements> get_numbers(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    const auto& member = (*(port.*Part)).*Member;
    return one(Numbers(member.begin(), member.end()));
}
template <auto Part, auto Member>
void set_numbers(Port& port, const Elements& elements) {
    auto& member = part_of<Part>(port).*Member;
    member = {};
    const auto numbers = plain<Numbers>(elements);
    for (std::size_t i = 0; i < std::min(numbers.size(), member.size()); ++i)
        member[i] = static_cast<std::remove_reference_t<decltype(member[i])>>(numbers[i]);
}

inline void put(Record& record, std::string_view part, std::string_view value) {
    record.emplace(part, std::string(value));
}
inline void put(Record& record, std::string_view part, std::uint64_t value) {
    record.emplace(part, value);
}

inline std::uint64_t number_part(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    const auto* number =
        found == record.end() ? nullptr : std::get_if<std::uint64_t>(&found->second);
    return number == nullptr ? 0 : *number;
}

inline std::string text_part(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    const auto* word = found == record.end() ? nullptr : std::get_if<std::string>(&found->second);
    return word == nullptr ? std::string() : *word;
}

}  // namespace core
