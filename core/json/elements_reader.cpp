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
Shape as_shown(Shape shape) {
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
    ElementsReader(Values values, Problems& problems) : values_(values, problems) {}

    std::vector<Stated> read(const Shape& shape, const Node& node, const Pointer& pointer) {
        if (is_keyed(shape)) return map(shape, node, pointer);
        if (shape.kind == Kind::items) return items(shape, node, pointer);
        const bool none =
            node.kind == Node::Kind::null && (!values_.stated() || shape.kind == Kind::record);
        if (none) return {stated("", std::nullopt, node.place, pointer)};
        std::optional<Value> value = one(shape, node, pointer);
        if (!value) return {};
        return {stated("", std::move(value), node.place, pointer)};
    }

    /// The value of what is no collection.
    std::optional<Value> one(const Shape& shape, const Node& node, const Pointer& pointer) {
        if (values_.stated()) return values_.plain(shape, node, pointer);
        const bool shown =
            shape.kind == Kind::text || shape.kind == Kind::number || shape.kind == Kind::counter;
        return values_.plain(shown ? as_shown(shape) : shape, node, pointer);
    }

private:
    /// Who does not ask what is stated does not ask where.
    Stated stated(std::string element, std::optional<Value> value, const Place& place,
                  const Pointer& pointer) {
        return {std::move(element), std::move(value), place,
                values_.stated() ? pointer.text() : std::string()};
    }

    std::vector<Stated> map(const Shape& shape, const Node& node, const Pointer& pointer) {
        std::vector<Stated> out;
        if (values_.open(node)) return out;
        const Shape inner = element_shape(shape);
        if (node.kind == Node::Kind::number && !shape.bare.empty()) {
            if (auto value = values_.plain(inner, node, pointer))
                out.push_back(
                    stated(std::string(shape.bare), std::move(value), node.place, pointer));
            return out;
        }
        if (node.kind != Node::Kind::object) {
            values_.wrong(shape, node, pointer);
            return out;
        }
        for (const Node::Member& member : node.members) {
            const Pointer at(pointer, member.name);
            const std::string name = name_of(shape, member.name);
            if (name != member.name && node.find(name) != nullptr) {
                values_.problem(member.place, at,
                                "found " + in_quotes(member.name) + " beside " + in_quotes(name) +
                                    ", which is the same; expected one of them");
                continue;
            }
            if (!values_.observed() && !is_key(shape, member.name)) {
                values_.problem(
                    member.place, at,
                    "found " + in_quotes(member.name) + ", expected " + expected_key(shape));
                continue;
            }
            if (values_.stated() && shape.illegal_name != nullptr)
                if (const auto why = shape.illegal_name(member.name)) {
                    values_.problem(member.place, at,
                                    "found " + in_quotes(member.name) + ", " + *why);
                    continue;
                }
            if (values_.stated() && can_be_exact(shape) && member.value.kind == Node::Kind::null) {
                out.push_back(stated(name, std::nullopt, member.place, at));
                continue;
            }
            // A kernel may hold several priorities for one code point; a profile may not ask so.
            const bool several = shape.kind == Kind::map && !values_.stated() &&
                                 member.value.kind == Node::Kind::array;
            const Shape of_value =
                several ? Shape{.kind = Kind::set, .min = shape.min, .max = shape.max} : inner;
            if (auto value = values_.plain(of_value, member.value, at))
                out.push_back(stated(name, std::move(value), member.place, at));
        }
        return out;
    }

    /// What the member of a map stands for.
    [[nodiscard]] std::string name_of(const Shape& shape, const std::string& typed) const {
        const bool named = values_.stated() && shape.canonical_name != nullptr;
        return named ? std::string(shape.canonical_name(typed)) : typed;
    }

    /// The value of one item; `absent` is set where it is stated not to be there.
    std::optional<Value> item(const Shape& shape, const Node& node, const Pointer& pointer,
                              bool& absent) {
        const Node* stated = values_.stated() ? node.find(kAbsent) : nullptr;
        if (stated != nullptr && stated->kind != Node::Kind::boolean) {
            values_.wrong({.kind = Kind::flag}, *stated, Pointer(pointer, kAbsent));
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

    std::vector<Stated> items(const Shape& shape, const Node& node, const Pointer& pointer) {
        std::vector<Stated> out;
        if (values_.open(node)) return out;
        if (node.kind != Node::Kind::array) {
            values_.wrong(shape, node, pointer);
            return out;
        }
        std::set<std::string> seen;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& one = node.items[i];
            const Pointer at(pointer, i);
            bool absent = false;
            const std::optional<Value> value = item(shape, one, at, absent);
            if (!value) continue;
            Value spelled = canonical(shape, *value);
            std::string element = identity_of_spelled(shape, spelled);
            // What rocectl wrote is in order.
            const std::size_t before = seen.size();
            seen.insert(seen.end(), element);
            if (seen.size() == before && !values_.observed()) {
                values_.problem(one.place, at,
                                "found " + in_quotes(element) + " again, expected each once");
                continue;
            }
            out.push_back(stated(std::move(element), std::nullopt, one.place, at));
            if (!absent) out.back().value = std::move(spelled);
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

std::vector<Stated> parse_stated(const Shape& shape, const Node& node, const Pointer& pointer,
                                 Problems& problems) {
    return ElementsReader(Values::stated, problems).read(shape, node, pointer);
}

Elements parse_elements(const Shape& shape, const Node& node, const Pointer& pointer,
                        Problems& problems, Values values) {
    Elements out;
    ElementsReader reader(values, problems);
    if (!is_collection(shape)) {
        if (node.kind == Node::Kind::null) return out;
        if (auto value = reader.one(shape, node, pointer)) out.emplace("", std::move(*value));
        return out;
    }
    for (Stated& stated : reader.read(shape, node, pointer))
        if (stated.value)
            out.emplace_hint(out.end(), std::move(stated.element), std::move(*stated.value));
    return out;
}

}  // namespace core
