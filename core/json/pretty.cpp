// SPDX-License-Identifier: Apache-2.0
#include "core/json/pretty.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"

namespace core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 100;

/// `{ "26": 3, "48": 6 }`, `[50, 50]`
std::string on_one_line(const Json& value) {
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
std::size_t depth(const Json& value) {
    std::size_t out = 0;
    if (value.is_structured())
        for (const Json& inner : value)
            out = std::max(out, depth(inner));
    return value.is_structured() ? out + 1 : 0;
}

void print(const Json& value, std::size_t indent, std::size_t column, std::string& out) {
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

std::string pretty(const Json& value) {
    std::string out;
    print(value, 0, 0, out);
    return out + '\n';
}

}  // namespace core
