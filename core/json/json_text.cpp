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

void JsonText::quote(std::string_view bytes) {
    if (!stand_for_themselves(bytes)) {
        out_ += nlohmann::ordered_json(as_utf8(bytes)).dump();
        return;
    }
    out_ += '"';
    out_ += bytes;
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

void JsonText::part(std::string_view name, std::string_view value) {
    key(name);
    put(value);
}

void JsonText::part(std::string_view name, std::uint64_t value) {
    key(name);
    put(value);
}

void JsonText::put(const nlohmann::ordered_json& tree) {
    if (const auto* text = tree.get_ptr<const std::string*>()) return put(std::string_view(*text));
    if (const auto* number = tree.get_ptr<const std::uint64_t*>()) return put(*number);
    if (!tree.is_structured()) {
        separate();
        if (const auto* flag = tree.get_ptr<const bool*>())
            out_ += *flag ? "true" : "false";
        else
            out_ += tree.dump();
    } else if (tree.is_array()) {
        begin('[');
        for (const nlohmann::ordered_json& item : tree)
            put(item);
        end(']');
    } else {
        begin('{');
        for (const auto& [name, value] : tree.items()) {
            key(name);
            put(value);
        }
        end('}');
    }
}

std::string written(const nlohmann::ordered_json& json, int indent) {
    JsonText text(indent);
    text.put(json);
    return text.take();
}

namespace {

constexpr std::size_t kColumns = 100;

/// `{ "26": 3, "48": 6 }`, `[50, 50]`
std::string on_one_line(const nlohmann::ordered_json& value) {
    if (!value.is_structured() || value.empty()) return written(value);
    std::string out;
    for (const auto& [name, inner] : value.items()) {
        if (!out.empty()) out += ", ";
        if (value.is_object()) out.append(written(name)).append(": ");
        out += on_one_line(inner);
    }
    return value.is_object() ? "{ " + out + " }" : '[' + out + ']';
}

/// How many structures are inside each other.
std::size_t depth(const nlohmann::ordered_json& value) {
    std::size_t out = 0;
    if (value.is_structured())
        for (const nlohmann::ordered_json& inner : value)
            out = std::max(out, depth(inner));
    return value.is_structured() ? out + 1 : 0;
}

void print(const nlohmann::ordered_json& value, std::size_t indent, std::size_t column,
           std::string& out) {
    const std::string line = on_one_line(value);
    const std::size_t levels = depth(value);
    const bool list = levels == 1 && value.is_array();
    if (levels == 0 || list || (levels < 3 && column + line.size() < kColumns)) {
        out += line;
        return;
    }
    const std::string blank(indent + 2, ' ');
    out += value.is_object() ? '{' : '[';
    bool first = true;
    for (const auto& [name, inner] : value.items()) {
        out.append(first ? "\n" : ",\n").append(blank);
        first = false;
        const std::string key = value.is_object() ? written(name) + ": " : "";
        out += key;
        print(inner, indent + 2, blank.size() + key.size(), out);
    }
    out.append("\n").append(indent, ' ');
    out += value.is_object() ? '}' : ']';
}

}  // namespace

std::string pretty(const nlohmann::ordered_json& value) {
    std::string out;
    print(value, 0, 0, out);
    return out + '\n';
}

nlohmann::ordered_json& nested(nlohmann::ordered_json& object, std::string_view key) {
    const std::size_t dot = key.find('.');
    nlohmann::ordered_json& inner = object[std::string(key.substr(0, dot))];
    return dot == std::string_view::npos ? inner : nested(inner, key.substr(dot + 1));
}

}  // namespace core
