// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "core/json/json.hpp"
#include "core/json/value_reader.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;
using Source = ValueReader::Source;

/// What one element of a collection holds, as a shape of its own.
Shape element_shape(const Shape& shape) {
    if (shape.kind == Kind::map) return {.kind = Kind::number, .min = shape.min, .max = shape.max};
    if (shape.kind == Kind::named) return *shape.of;
    if (shape.parts.empty()) return {.kind = Kind::text, .text = shape.text};
    return {.kind = Kind::record, .parts = shape.parts};
}

bool is_key(const Shape& shape, const std::string& name) {
    if (shape.closed) return std::ranges::find(shape.words, name) != shape.words.end();
    if (shape.kind == Kind::named) return !name.empty();
    const std::optional<std::uint64_t> key = whole_number(name);
    return key && std::to_string(*key) == name && *key >= shape.key_min && *key <= shape.key_max;
}

std::string expected_key(const Shape& shape) {
    if (shape.closed)
        return std::string(shape.words.front()) + ".." + std::string(shape.words.back());
    if (shape.kind == Kind::named) return "a name";
    return std::to_string(shape.key_min) + ".." + std::to_string(shape.key_max);
}

/// A kernel shows what no profile may ask for: the MTU of lo is 65536, of a CAN bus 16, and
/// the hardware address of a tunnel is no MAC.
Shape observed(Shape shape) {
    const bool read_only = shape.text == Shape::Text::mac || shape.text == Shape::Text::pci ||
                           shape.text == Shape::Text::name;
    if (shape.kind == Kind::text && read_only) shape.text = Shape::Text::any;
    if (shape.kind == Kind::number || shape.kind == Kind::counter) {
        shape.min = 0;
        shape.max = std::numeric_limits<std::uint64_t>::max();
    }
    return shape;
}

/// Reads the elements of a setting: of a map, of a list, or the one there is.
class ElementsReader {
public:
    ElementsReader(Source source, Problems& problems) : values_(source, problems) {}

    std::vector<Stated> read(const Shape& shape, const Node& node, const std::string& pointer) {
        if (is_keyed(shape)) return map(shape, node, pointer);
        if (shape.kind == Kind::items) return items(shape, node, pointer);
        const bool none = node.kind == Node::Kind::null &&
                          (values_.source() == Source::state || shape.kind == Kind::record);
        if (none) return {{"", std::nullopt, node.place, pointer}};
        std::optional<Value> value = values_.plain(
            values_.source() == Source::state ? observed(shape) : shape, node, pointer);
        if (!value) return {};
        return {{"", std::move(value), node.place, pointer}};
    }

private:
    std::vector<Stated> map(const Shape& shape, const Node& node, const std::string& pointer) {
        std::vector<Stated> out;
        if (values_.open(node)) return out;
        const Shape inner = element_shape(shape);
        if (node.kind == Node::Kind::number && !shape.bare.empty()) {
            if (auto value = values_.plain(inner, node, pointer))
                out.push_back({std::string(shape.bare), std::move(value), node.place, pointer});
            return out;
        }
        if (node.kind != Node::Kind::object) {
            values_.wrong(shape, node, pointer);
            return out;
        }
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            const std::string name = name_of(shape, member.name);
            if (name != member.name && node.find(name) != nullptr) {
                values_.problem(member.place, at,
                                "found " + in_quotes(member.name) + " beside " + in_quotes(name) +
                                    ", which is the same; expected one of them");
                continue;
            }
            if (!is_key(shape, member.name)) {
                values_.problem(
                    member.place, at,
                    "found " + in_quotes(member.name) + ", expected " + expected_key(shape));
                continue;
            }
            if (values_.source() == Source::profile && shape.illegal_name != nullptr)
                if (const auto why = shape.illegal_name(member.name)) {
                    values_.problem(member.place, at,
                                    "found " + in_quotes(member.name) + ", " + *why);
                    continue;
                }
            if (values_.source() == Source::profile && can_be_exact(shape) &&
                member.value.kind == Node::Kind::null) {
                out.push_back({name, std::nullopt, member.place, at});
                continue;
            }
            // A kernel may hold several priorities for one code point; a profile may not ask so.
            const bool several = shape.kind == Kind::map && values_.source() == Source::state &&
                                 member.value.kind == Node::Kind::array;
            const Shape of_value =
                several ? Shape{.kind = Kind::set, .min = shape.min, .max = shape.max} : inner;
            if (auto value = values_.plain(of_value, member.value, at))
                out.push_back({name, std::move(value), member.place, at});
        }
        return out;
    }

    /// What the member of a map stands for.
    [[nodiscard]] std::string name_of(const Shape& shape, const std::string& typed) const {
        const bool named = values_.source() == Source::profile && shape.canonical_name != nullptr;
        return named ? std::string(shape.canonical_name(typed)) : typed;
    }

    /// The value of one item; `absent` is set where it is stated not to be there.
    std::optional<Value> item(const Shape& shape, const Node& node, const std::string& pointer,
                              bool& absent) {
        const Node* stated = values_.source() == Source::profile ? node.find(kAbsent) : nullptr;
        if (stated != nullptr && stated->kind != Node::Kind::boolean) {
            values_.wrong({.kind = Kind::flag}, *stated, pointer_to(pointer, kAbsent));
            return std::nullopt;
        }
        absent = stated != nullptr && stated->flag;
        const Shape inner = element_shape(shape);
        if (inner.kind == Kind::record) {
            if (values_.open(node)) return std::nullopt;
            return values_.record(inner, node, pointer, stated != nullptr);
        }
        if (stated == nullptr) return values_.plain(inner, node, pointer);
        // An address that should not be there: {"address": "192.0.2.1/24", "absent": true}.
        const std::string_view part = item_part(shape);
        const std::array parts = {RecordPart{
            .name = part, .shape = inner, .doc = {}, .required = true, .identity = true}};
        const auto value =
            values_.record({.kind = Kind::record, .parts = parts}, node, pointer, true);
        if (!value) return std::nullopt;
        return std::get<std::string>(std::get<Record>(*value).at(std::string(part)));
    }

    std::vector<Stated> items(const Shape& shape, const Node& node, const std::string& pointer) {
        std::vector<Stated> out;
        if (values_.open(node)) return out;
        if (node.kind != Node::Kind::array) {
            values_.wrong(shape, node, pointer);
            return out;
        }
        std::set<std::string> seen;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& one = node.items[i];
            const std::string at = pointer_to(pointer, i);
            bool absent = false;
            const std::optional<Value> value = item(shape, one, at, absent);
            if (!value) continue;
            std::string element = identity(shape, *value);
            if (!seen.insert(element).second) {
                values_.problem(one.place, at,
                                "found " + in_quotes(element) + " again, expected each once");
                continue;
            }
            out.push_back({std::move(element), std::nullopt, one.place, at});
            if (!absent) out.back().value = canonical(shape, *value);
        }
        return out;
    }

    ValueReader values_;
};

}  // namespace

bool is_pending(const Node& node) {
    return is_reference(node) || std::ranges::any_of(node.items, is_pending) ||
           std::ranges::any_of(node.members,
                               [](const Node::Member& member) { return is_pending(member.value); });
}

std::vector<Stated> parse_stated(const Shape& shape, const Node& node, const std::string& pointer,
                                 Problems& problems) {
    return ElementsReader(Source::profile, problems).read(shape, node, pointer);
}

Elements parse_elements(const Shape& shape, const Node& node, const std::string& pointer,
                        Problems& problems) {
    Elements out;
    for (Stated& stated : ElementsReader(Source::state, problems).read(shape, node, pointer))
        if (stated.value) out.emplace(std::move(stated.element), std::move(*stated.value));
    return out;
}

}  // namespace core
