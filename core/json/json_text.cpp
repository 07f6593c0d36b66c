// SPDX-License-Identifier: Apache-2.0
#include "core/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace core {
namespace {

/// What a sink is given at a time, about.
constexpr std::size_t kPiece = 1U << 16U;

/// Whether a byte is a character, and one that needs no escape.
constexpr auto kStandsForItself = [] {
    std::array<bool, 256> out{};
    for (std::size_t byte = 0x20; byte < 0x80; ++byte)
        out.at(byte) = byte != '"' && byte != '\\';
    return out;
}();

bool stand_for_themselves(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return kStandsForItself[static_cast<unsigned char>(c)]; });
}

/// As deep as most documents are.
constexpr std::string_view kNewLine = "\n                                ";

}  // namespace

void JsonText::new_line() {
    if (indent_ < 0) return;
    const std::size_t blanks = depth_ * static_cast<std::size_t>(indent_);
    out_ += kNewLine.substr(0, 1 + blanks);
    if (blanks >= kNewLine.size()) out_.append(blanks + 1 - kNewLine.size(), ' ');
}

void JsonText::separate() {
    if (behind_key_) {
        behind_key_ = false;
        return;
    }
    if (depth_ == 0) return;
    if (!first_) out_ += ',';
    first_ = false;
    if (full_ && out_.size() >= kPiece) {
        full_(out_);
        out_.clear();
    }
    new_line();
}

void JsonText::begin(char bracket) {
    separate();
    out_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonText::end(char bracket) {
    --depth_;
    if (!first_) new_line();
    out_ += bracket;
    first_ = false;
}

void JsonText::quote(std::string_view utf8) {
    if (!stand_for_themselves(utf8)) {
        out_ += written(std::string(utf8));
        return;
    }
    out_ += '"';
    out_ += utf8;
    out_ += '"';
}

void JsonText::key(std::string_view name) {
    separate();
    quote(name);
    out_ += indent_ < 0 ? ":" : ": ";
    behind_key_ = true;
}

void JsonText::put(std::string_view value) {
    separate();
    quote(value);
}

void JsonText::put(std::uint64_t number) {
    separate();
    std::array<char, 24> digits{};
    out_.append(digits.data(),
                std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void JsonText::put(bool flag) {
    separate();
    out_ += flag ? "true" : "false";
}

void JsonText::put_null() {
    separate();
    out_ += "null";
}

void JsonText::part(std::string_view name, std::string_view value) {
    key(name);
    put(value);
}

void JsonText::part(std::string_view name, std::uint64_t value) {
    key(name);
    put(value);
}

void JsonText::put(const nlohmann::ordered_json& tree) {
    if (!tree.is_structured()) {
        separate();
        out_ += written(tree);
        return;
    }
    begin(tree.is_object() ? '{' : '[');
    for (const auto& [name, value] : tree.items()) {
        if (tree.is_object()) key(name);
        put(value);
    }
    end(tree.is_object() ? '}' : ']');
}

void JsonText::put(const Shape& shape, const Value& value) {
    const auto list = [this](const auto& items) {
        begin('[');
        for (const auto& item : items)
            put(item);
        end(']');
    };
    if (const auto* flag = std::get_if<bool>(&value)) return put(*flag);
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return put(*number);
    if (const auto* word = std::get_if<std::string>(&value)) return put(std::string_view(*word));
    if (const auto* numbers = std::get_if<Numbers>(&value)) return list(*numbers);
    if (const auto* words = std::get_if<Words>(&value)) {
        begin('[');
        for (const std::string& one : *words)
            put(std::string_view(one));
        return end(']');
    }
    // Parts in the order of the table, not of the alphabet.
    const auto& record = std::get<Record>(value);
    begin('{');
    for (const RecordPart& each : shape.parts) {
        const auto found = record.find(each.name);
        if (found == record.end()) continue;
        if (const auto* number = std::get_if<std::uint64_t>(&found->second))
            part(each.name, *number);
        else
            part(each.name, std::get<std::string>(found->second));
    }
    end('}');
}

void JsonText::put(const Shape& shape, const Elements& elements) {
    const bool keyed = is_keyed(shape);
    if (!keyed && shape.kind != Shape::Kind::items)
        return elements.empty() ? put_null() : put(shape, elements.begin()->second);
    begin(keyed ? '{' : '[');
    for (const auto& [element, value] : elements) {
        if (keyed) key(element);
        put(shape, value);
    }
    end(keyed ? '}' : ']');
}

}  // namespace core
