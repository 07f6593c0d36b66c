// SPDX-License-Identifier: Apache-2.0
#include "core/json/value_reader.hpp"

#include <algorithm>
#include <charconv>

#include "core/json/json.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

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

}  // namespace core
