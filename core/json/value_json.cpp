// SPDX-License-Identifier: Apache-2.0
#include "core/json/value_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace core {
namespace {

using Kind = Shape::Kind;

Json to_json(const Scalar& scalar) {
    return std::visit([](const auto& value) { return Json(value); }, scalar);
}

/// Parts in the order of the table, not of the alphabet.
Json record_json(const Shape& shape, const Record& record) {
    Json out = Json::object();
    out.get_ref<Json::object_t&>().reserve(record.size());
    for (const RecordPart& part : shape.parts)
        if (const auto found = record.find(part.name); found != record.end())
            out[std::string(part.name)] = to_json(found->second);
    return out;
}

}  // namespace

Json to_json(const Shape& shape, const Value& value) {
    if (const auto* record = std::get_if<Record>(&value)) return record_json(shape, *record);
    return std::visit(
        [](const auto& held) {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Record>) {
                return Json();
            } else {
                return Json(held);
            }
        },
        value);
}

Json to_json(const Shape& shape, const Elements& elements) {
    if (is_keyed(shape)) {
        // Looking for each whether it is there already would take its square of a long map.
        Json out = Json::object();
        for (const auto& [element, value] : elements)
            out.get_ref<Json::object_t&>().emplace_back(element, to_json(shape, value));
        return out;
    }
    if (shape.kind == Kind::items) {
        Json out = Json::array();
        out.get_ref<Json::array_t&>().reserve(elements.size());
        for (const auto& [element, value] : elements)
            out.push_back(to_json(shape, value));
        return out;
    }
    return elements.empty() ? Json() : to_json(shape, elements.begin()->second);
}

namespace {

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// A number or a flag that somebody put in quotes.
bool is_quoted(const Shape& shape, const Node& node) {
    if (node.kind != Node::Kind::text || node.substituted) return false;
    if (shape.kind == Kind::flag) return node.text == "true" || node.text == "false";
    const bool number = shape.kind == Kind::number || shape.kind == Kind::counter;
    return number && whole_number(node.text).has_value();
}

std::optional<Value> scalar(const Shape& shape, const Node& node) {
    const bool text = node.kind == Node::Kind::text;
    switch (shape.kind) {
        case Kind::flag:
            if (node.kind == Node::Kind::boolean) return node.flag;
            if (text && node.substituted && (node.text == "true" || node.text == "false"))
                return node.text == "true";
            return std::nullopt;
        case Kind::number:
        case Kind::counter:
            if (const auto number = number_of(node)) return *number;
            return std::nullopt;
        case Kind::word:
            // A table or protocol number may stand without quotes.
            if (text || (shape.max > 0 && node.kind == Node::Kind::number)) return node.text;
            return std::nullopt;
        case Kind::text:
            if (text || (shape.text == Shape::Text::line && node.kind == Node::Kind::number))
                return node.text;
            return std::nullopt;
        default: return std::nullopt;
    }
}

}  // namespace

bool ValueReader::open(const Node& node) const {
    return stated() && is_reference(node);
}

void ValueReader::problem(const Place& place, const Pointer& pointer, std::string text) {
    problems_.push_back({place, pointer.text(), std::move(text)});
}

void ValueReader::wrong(const Shape& shape, const Node& node, const Pointer& pointer) {
    if (is_quoted(shape, node))
        return problem(node.place, pointer,
                       "found the text " + source_text(node) + ", expected " +
                           (shape.kind == Kind::flag ? "" : "a number without quotes, ") +
                           admits(shape) + (shape.kind == Kind::flag ? " without quotes" : ""));
    problem(node.place, pointer, found(node) + ", expected " + admits(shape));
}

std::optional<Value> ValueReader::plain(const Shape& shape, const Node& node,
                                        const Pointer& pointer) {
    if (open(node)) return std::nullopt;
    if (shape.kind == Kind::record) return record(shape, node, pointer, false);
    const bool several =
        shape.kind == Kind::set || shape.kind == Kind::list || shape.kind == Kind::words;
    if (several) return list(shape, node, pointer);
    std::optional<Value> value = scalar(shape, node);
    if (auto* typed = value ? std::get_if<std::string>(&*value) : nullptr;
        typed != nullptr && shape.kind == Kind::text && stated())
        *typed = as_read(shape.text, *typed);
    if (!value) {
        wrong(shape, node, pointer);
        return std::nullopt;
    }
    if (observed()) return value;
    if (node.kind == Node::Kind::text && has_control_character(node.text)) {
        problem(node.place, pointer, found(node) + ", which holds control characters");
        return std::nullopt;
    }
    if (auto reason = illegal(shape, *value)) {
        problem(node.place, pointer, std::move(*reason));
        return std::nullopt;
    }
    return value;
}

std::optional<Value> ValueReader::list(const Shape& shape, const Node& node,
                                       const Pointer& pointer) {
    if (node.kind != Node::Kind::array) {
        wrong(shape, node, pointer);
        return std::nullopt;
    }
    const Kind kind = shape.words.empty() ? Kind::number : Kind::word;
    const Shape item{.kind = kind, .min = shape.min, .max = shape.max, .words = shape.words};
    Numbers numbers;
    Words words;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const Node& one = node.items[i];
        const Pointer at(pointer, i);
        const std::optional<Value> value = plain(item, one, at);
        if (!value) continue;
        const auto add = [&](auto& known, const auto& held) {
            if (shape.kind == Kind::set && !observed() &&
                std::ranges::find(known, held) != known.end())
                problem(one.place, at, found(one) + " again, expected each once");
            known.push_back(held);
        };
        if (const auto* word = std::get_if<std::string>(&*value)) add(words, *word);
        if (const auto* number = std::get_if<std::uint64_t>(&*value)) add(numbers, *number);
    }
    if (shape.kind != Kind::set && !observed() && node.items.size() != Shape::list_length) {
        problem(
            node.place, pointer,
            "found " + std::to_string(node.items.size()) + " values, expected " + admits(shape));
        return std::nullopt;
    }
    if (numbers.size() + words.size() != node.items.size()) return std::nullopt;
    if (shape.kind == Kind::set) {
        std::ranges::sort(words);
        words.erase(std::unique(words.begin(), words.end()), words.end());
        std::ranges::sort(numbers);
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }
    if (!shape.words.empty()) return words;
    return numbers;
}

std::optional<Value> ValueReader::record(const Shape& shape, const Node& node,
                                         const Pointer& pointer, bool absent) {
    if (node.kind != Node::Kind::object) {
        wrong(shape, node, pointer);
        return std::nullopt;
    }
    Record out;
    out.reserve(node.members.size());
    bool complete = true;
    for (const Node::Member& member : node.members) {
        if (absent && member.name == kAbsent) continue;
        const Pointer at(pointer, member.name);
        const auto part = std::ranges::find(shape.parts, member.name, &RecordPart::name);
        if (part == shape.parts.end()) {
            problem(member.place, at,
                    "found unknown key " + in_quotes(member.name) + ", expected " + admits(shape));
            complete = false;
            continue;
        }
        std::optional<Value> value = plain(part->shape, member.value, at);
        complete = complete && value;
        if (!value) continue;
        if (const auto* number = std::get_if<std::uint64_t>(&*value)) {
            out[member.name] = *number;
        } else {
            out[member.name] = std::move(std::get<std::string>(*value));
        }
    }
    for (const RecordPart& part : shape.parts) {
        const bool needed = part.required && !observed() && (!absent || part.identity);
        if (!needed || node.find(part.name) != nullptr) continue;
        problem(node.place, pointer, "found no '" + std::string(part.name) + "', expected one");
        complete = false;
    }
    if (!complete) return std::nullopt;
    return out;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

bool is_reference(const Node& node) {
    return node.kind == Node::Kind::text && !node.substituted &&
           node.text.find("${") != std::string::npos;
}

std::optional<std::uint64_t> number_of(const Node& node) {
    const bool may =
        node.kind == Node::Kind::number || (node.kind == Node::Kind::text && node.substituted);
    return may ? whole_number(node.text) : std::nullopt;
}

namespace {

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

}  // namespace

std::optional<std::string> illegal_key(const Shape& shape, const std::string& key) {
    if (is_key(shape, key)) return std::nullopt;
    return "found " + in_quotes(key) + ", expected " + expected_key(shape);
}

namespace {

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

    /// Passes each element to `take`, which returns whether its name was new.
    template <typename Take>
    void read(const Shape& shape, const Node& node, const Pointer& pointer, const Take& take) {
        if (is_keyed(shape)) return map(shape, node, pointer, take);
        if (shape.kind == Kind::items) return items(shape, node, pointer, take);
        const bool none =
            node.kind == Node::Kind::null && (!values_.stated() || shape.kind == Kind::record);
        std::optional<Value> value;
        if (!none) value = one(shape, node, pointer);
        if (none || value) take("", std::move(value), node.place, pointer);
    }

    /// The value of what is no collection.
    std::optional<Value> one(const Shape& shape, const Node& node, const Pointer& pointer) {
        if (values_.stated()) return values_.plain(shape, node, pointer);
        const bool shown =
            shape.kind == Kind::text || shape.kind == Kind::number || shape.kind == Kind::counter;
        return values_.plain(shown ? as_shown(shape) : shape, node, pointer);
    }

    /// Gives each item of a list that is not absent to `take`.
    template <typename Take>
    void each(const Shape& shape, const Node& node, const Pointer& pointer, const Take& take) {
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Pointer at(pointer, i);
            bool absent = false;
            if (const auto value = item(shape, node.items[i], at, absent)) take(i, *value);
        }
    }
    void again(const Node& node, const Pointer& pointer, std::string_view element) {
        values_.problem(node.place, pointer,
                        "found " + in_quotes(element) + " again, expected each once");
    }

private:
    template <typename Take>
    void map(const Shape& shape, const Node& node, const Pointer& pointer, const Take& take) {
        if (values_.open(node)) return;
        const Shape inner = element_shape(shape);
        if (node.kind == Node::Kind::number && !shape.bare.empty()) {
            if (auto value = values_.plain(inner, node, pointer))
                take(std::string(shape.bare), std::move(value), node.place, pointer);
            return;
        }
        if (node.kind != Node::Kind::object) return values_.wrong(shape, node, pointer);
        for (const Node::Member& member : node.members)
            this->member(shape, inner, node, member, Pointer(pointer, member.name), take);
    }

    template <typename Take>
    void member(const Shape& shape, const Shape& inner, const Node& node,
                const Node::Member& member, const Pointer& at, const Take& take) {
        const std::string name = name_of(shape, member.name);
        if (name != member.name && node.find(name) != nullptr)
            return values_.problem(member.place, at,
                                   "found " + in_quotes(member.name) + " beside " +
                                       in_quotes(name) +
                                       ", which is the same; expected one of them");
        if (!values_.observed())
            if (auto why = illegal_key(shape, member.name))
                return values_.problem(member.place, at, *std::move(why));
        if (values_.stated() && shape.illegal_name != nullptr)
            if (const auto why = shape.illegal_name(member.name))
                return values_.problem(member.place, at,
                                       "found " + in_quotes(member.name) + ", " + *why);
        if (values_.stated() && can_be_exact(shape) && member.value.kind == Node::Kind::null)
            return void(take(name, std::nullopt, member.place, at));
        // A kernel may hold several priorities for one code point; a profile may not ask so.
        const bool several =
            shape.kind == Kind::map && !values_.stated() && member.value.kind == Node::Kind::array;
        const Shape of_value =
            several ? Shape{.kind = Kind::set, .min = shape.min, .max = shape.max} : inner;
        if (auto value = values_.plain(of_value, member.value, at))
            take(name, std::move(value), member.place, at);
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

    template <typename Take>
    void items(const Shape& shape, const Node& node, const Pointer& pointer, const Take& take) {
        if (values_.open(node)) return;
        if (node.kind != Node::Kind::array) return values_.wrong(shape, node, pointer);
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& one = node.items[i];
            const Pointer at(pointer, i);
            bool absent = false;
            const std::optional<Value> value = item(shape, one, at, absent);
            if (!value) continue;
            Value spelled = canonical(shape, *value);
            std::string element = identity_of_spelled(shape, spelled);
            std::optional<Value> there;
            if (!absent) there = std::move(spelled);
            // What rocectl wrote is in order.
            if (!take(element, std::move(there), one.place, at) && !values_.observed())
                again(one, at, element);
        }
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
    std::vector<Stated> out;
    std::set<std::string> seen;
    const bool once = shape.kind == Kind::items;
    const auto take = [&](std::string element, std::optional<Value> value, const Place& place,
                          const Pointer& at) {
        if (once && !seen.insert(element).second) return false;
        out.push_back({std::move(element), std::move(value), place, at.text()});
        return true;
    };
    ElementsReader(Values::stated, problems).read(shape, node, pointer, take);
    return out;
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
    const auto take = [&out](std::string element, std::optional<Value> value,
                             const Place& /*place*/, const Pointer& /*at*/) {
        const std::size_t before = out.size();
        if (value) out.emplace_hint(out.end(), std::move(element), std::move(*value));
        return out.size() > before;
    };
    reader.read(shape, node, pointer, take);
    return out;
}

void read_listed(Port& port, const Field& field, const Node& node, const Pointer& pointer,
                 Problems& problems, Values values) {
    ElementsReader reader(values, problems);
    std::vector<std::uint32_t> taken;  // the places of the items that are read
    std::vector<std::uint32_t> order;
    taken.reserve(node.items.size());
    field.listed->clear(port, node.items.size());
    {
        // The names go before the list is arranged: of ten megabytes they are the larger part.
        NameOrder names;
        std::string name;
        reader.each(field.shape, node, pointer, [&](std::size_t i, const Value& value) {
            name.clear();
            field.listed->add(port, value, name);
            names.add(name);
            taken.push_back(static_cast<std::uint32_t>(i));
        });
        if (names.is_in_order()) return;
        order = names.order();
        if (order.size() < taken.size() && values != Values::observed) {
            std::vector<bool> first(taken.size(), false);
            for (const std::uint32_t place : order)
                first[place] = true;
            for (std::size_t i = 0; i < taken.size(); ++i)
                if (!first[i])
                    reader.again(node.items[taken[i]], Pointer(pointer, taken[i]), names.name(i));
        }
    }
    field.listed->arrange(port, taken.size(), order);
}

}  // namespace core
