// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json/json.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

constexpr std::size_t kListLength = 8;
constexpr std::string_view kAbsent = "absent";

/// What one element of a collection holds, as a shape of its own.
Shape element_shape(const Shape& shape) {
    if (shape.kind == Kind::map) return {.kind = Kind::number, .min = shape.min, .max = shape.max};
    if (shape.parts.empty()) return {.kind = Kind::text, .text = shape.text};
    return {.kind = Kind::record, .parts = shape.parts};
}

Json to_json(const Scalar& scalar) {
    return std::visit([](const auto& value) { return Json(value); }, scalar);
}

/// Parts in the order of the table, not of the alphabet.
Json record_json(const Shape& shape, const Record& record) {
    Json out = Json::object();
    for (const RecordPart& part : shape.parts)
        if (const auto found = record.find(part.name); found != record.end())
            out[std::string(part.name)] = to_json(found->second);
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

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// Reads values by shape. In a profile `${…}` is still open and absence can be stated; in a state
/// neither means anything.
class Reader {
public:
    enum class Source : std::uint8_t { profile, state };
    Reader(Source source, Problems& problems) : source_(source), problems_(problems) {}

    std::vector<Stated> elements(const Shape& shape, const Node& node, const std::string& pointer) {
        if (shape.kind == Kind::map) return map(shape, node, pointer);
        if (shape.kind == Kind::items) return items(shape, node, pointer);
        const bool none = node.kind == Node::Kind::null &&
                          (source_ == Source::state || shape.kind == Kind::record);
        if (none) return {{"", std::nullopt, node.place, pointer}};
        std::optional<Value> value =
            plain(source_ == Source::state ? observed(shape) : shape, node, pointer);
        if (!value) return {};
        return {{"", std::move(value), node.place, pointer}};
    }

private:
    /// A kernel shows what no profile may ask for: the MTU of lo is 65536, of a CAN bus 16, and
    /// the hardware address of a tunnel is no MAC.
    static Shape observed(Shape shape) {
        const bool read_only = shape.text == Shape::Text::mac || shape.text == Shape::Text::pci ||
                               shape.text == Shape::Text::name;
        if (shape.kind == Kind::text && read_only) shape.text = Shape::Text::any;
        if (shape.kind == Kind::number || shape.kind == Kind::counter) {
            shape.min = 0;
            shape.max = std::numeric_limits<std::uint64_t>::max();
        }
        return shape;
    }
    [[nodiscard]] bool open(const Node& node) const {
        return source_ == Source::profile && is_reference(node);
    }
    void problem(const Node& node, const std::string& pointer, std::string text) {
        problems_.push_back({node.place, pointer, std::move(text)});
    }
    void wrong(const Shape& shape, const Node& node, const std::string& pointer) {
        problem(node, pointer, found(node) + ", expected " + admits(shape));
    }

    /// Nothing where it is wrong, which is then said, or still open.
    std::optional<Value> plain(const Shape& shape, const Node& node, const std::string& pointer) {
        if (open(node)) return std::nullopt;
        if (shape.kind == Kind::record) return record(shape, node, pointer, false);
        const bool several =
            shape.kind == Kind::set || shape.kind == Kind::list || shape.kind == Kind::words;
        if (several) return list(shape, node, pointer);
        std::optional<Value> value = scalar(shape, node);
        if (!value) {
            wrong(shape, node, pointer);
            return std::nullopt;
        }
        if (node.kind == Node::Kind::text && has_control_character(node.text)) {
            problem(node, pointer, found(node) + ", which holds control characters");
            return std::nullopt;
        }
        if (auto reason = illegal(shape, *value)) {
            problem(node, pointer, std::move(*reason));
            return std::nullopt;
        }
        return value;
    }

    static std::optional<Value> scalar(const Shape& shape, const Node& node) {
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
                if (text) return node.text;
                return std::nullopt;
            default: return std::nullopt;
        }
    }

    std::optional<Value> list(const Shape& shape, const Node& node, const std::string& pointer) {
        if (node.kind != Node::Kind::array) {
            wrong(shape, node, pointer);
            return std::nullopt;
        }
        const Kind kind = shape.kind == Kind::words ? Kind::word : Kind::number;
        const Shape item{.kind = kind, .min = shape.min, .max = shape.max, .words = shape.words};
        Numbers numbers;
        Words words;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& one = node.items[i];
            const std::string at = pointer_to(pointer, i);
            const std::optional<Value> value = plain(item, one, at);
            if (!value) continue;
            if (const auto* word = std::get_if<std::string>(&*value)) words.push_back(*word);
            const auto* number = std::get_if<std::uint64_t>(&*value);
            if (number == nullptr) continue;
            if (shape.kind == Kind::set && std::ranges::find(numbers, *number) != numbers.end())
                problem(one, at, found(one) + " again, expected each once");
            numbers.push_back(*number);
        }
        if (shape.kind != Kind::set && node.items.size() != kListLength) {
            problem(node, pointer,
                    "found " + std::to_string(node.items.size()) + " values, expected " +
                        admits(shape));
            return std::nullopt;
        }
        if (numbers.size() + words.size() != node.items.size()) return std::nullopt;
        if (shape.kind == Kind::words) return words;
        if (shape.kind == Kind::set) {
            std::ranges::sort(numbers);
            numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        }
        return numbers;
    }

    /// Of an element that is stated to be absent only the identity is asked for.
    std::optional<Value> record(const Shape& shape, const Node& node, const std::string& pointer,
                                bool absent) {
        if (node.kind != Node::Kind::object) {
            wrong(shape, node, pointer);
            return std::nullopt;
        }
        Record out;
        bool complete = true;
        for (const Node::Member& member : node.members) {
            if (absent && member.name == kAbsent) continue;
            const std::string at = pointer_to(pointer, member.name);
            const auto part = std::ranges::find(shape.parts, member.name, &RecordPart::name);
            if (part == shape.parts.end()) {
                problems_.push_back({member.place, at,
                                     "found unknown key " + in_quotes(member.name) + ", expected " +
                                         admits(shape)});
                complete = false;
                continue;
            }
            const std::optional<Value> value = plain(part->shape, member.value, at);
            complete = complete && value;
            if (!value) continue;
            if (const auto* number = std::get_if<std::uint64_t>(&*value)) {
                out[member.name] = *number;
            } else {
                out[member.name] = std::get<std::string>(*value);
            }
        }
        for (const RecordPart& part : shape.parts) {
            const bool needed = part.required && (!absent || part.identity);
            if (!needed || node.find(part.name) != nullptr) continue;
            problem(node, pointer, "found no '" + std::string(part.name) + "', expected one");
            complete = false;
        }
        if (!complete) return std::nullopt;
        return out;
    }

    std::vector<Stated> map(const Shape& shape, const Node& node, const std::string& pointer) {
        std::vector<Stated> out;
        if (open(node)) return out;
        if (node.kind != Node::Kind::object) {
            wrong(shape, node, pointer);
            return out;
        }
        const Shape inner = element_shape(shape);
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            const std::optional<std::uint64_t> key = whole_number(member.name);
            if (!key || std::to_string(*key) != member.name || *key < shape.key_min ||
                *key > shape.key_max) {
                problems_.push_back({member.place, at,
                                     "found " + in_quotes(member.name) + ", expected " +
                                         std::to_string(shape.key_min) + ".." +
                                         std::to_string(shape.key_max)});
                continue;
            }
            if (source_ == Source::profile && member.value.kind == Node::Kind::null) {
                out.push_back({member.name, std::nullopt, member.place, at});
                continue;
            }
            // A kernel may hold several priorities for one code point; a profile may not ask so.
            const bool several = source_ == Source::state && member.value.kind == Node::Kind::array;
            const Shape of_value =
                several ? Shape{.kind = Kind::set, .min = shape.min, .max = shape.max} : inner;
            if (auto value = plain(of_value, member.value, at))
                out.push_back({member.name, std::move(value), member.place, at});
        }
        return out;
    }

    /// The value of one item; `absent` is set where it is stated not to be there.
    std::optional<Value> item(const Shape& shape, const Node& node, const std::string& pointer,
                              bool& absent) {
        const Node* stated = source_ == Source::profile ? node.find(kAbsent) : nullptr;
        if (stated != nullptr && stated->kind != Node::Kind::boolean) {
            wrong({.kind = Kind::flag}, *stated, pointer_to(pointer, kAbsent));
            return std::nullopt;
        }
        absent = stated != nullptr && stated->flag;
        const Shape inner = element_shape(shape);
        if (inner.kind == Kind::record) {
            if (open(node)) return std::nullopt;
            return record(inner, node, pointer, stated != nullptr);
        }
        if (stated == nullptr) return plain(inner, node, pointer);
        // An address that should not be there: {"address": "192.0.2.1/24", "absent": true}.
        const std::array parts = {RecordPart{
            .name = "address", .shape = inner, .doc = {}, .required = true, .identity = true}};
        const auto value = record({.kind = Kind::record, .parts = parts}, node, pointer, true);
        if (!value) return std::nullopt;
        return std::get<std::string>(std::get<Record>(*value).at("address"));
    }

    std::vector<Stated> items(const Shape& shape, const Node& node, const std::string& pointer) {
        std::vector<Stated> out;
        if (open(node)) return out;
        if (node.kind != Node::Kind::array) {
            wrong(shape, node, pointer);
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
                problem(one, at, "found " + in_quotes(element) + " again, expected each once");
                continue;
            }
            out.push_back({std::move(element), std::nullopt, one.place, at});
            if (!absent) out.back().value = canonical(shape, *value);
        }
        return out;
    }

    Source source_;
    Problems& problems_;
};

}  // namespace

std::optional<std::uint64_t> number_of(const Node& node) {
    const bool may =
        node.kind == Node::Kind::number || (node.kind == Node::Kind::text && node.substituted);
    return may ? whole_number(node.text) : std::nullopt;
}

bool is_pending(const Node& node) {
    return is_reference(node) || std::ranges::any_of(node.items, is_pending) ||
           std::ranges::any_of(node.members,
                               [](const Node::Member& member) { return is_pending(member.value); });
}

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
    if (shape.kind == Kind::map) {
        Json out = Json::object();
        for (const auto& [element, value] : elements)
            out[element] = to_json(shape, value);
        return out;
    }
    if (shape.kind == Kind::items) {
        Json out = Json::array();
        for (const auto& [element, value] : elements)
            out.push_back(to_json(shape, value));
        return out;
    }
    return elements.empty() ? Json() : to_json(shape, elements.begin()->second);
}

std::vector<Stated> parse_stated(const Shape& shape, const Node& node, const std::string& pointer,
                                 Problems& problems) {
    return Reader(Reader::Source::profile, problems).elements(shape, node, pointer);
}

Elements parse_elements(const Shape& shape, const Node& node, const std::string& pointer,
                        Problems& problems) {
    Elements out;
    for (Stated& stated : Reader(Reader::Source::state, problems).elements(shape, node, pointer))
        if (stated.value) out.emplace(std::move(stated.element), std::move(*stated.value));
    return out;
}

}  // namespace core
