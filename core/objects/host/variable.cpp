// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/variable.hpp"

#include <algorithm>

namespace core {
namespace {

Value without_blanks(const Value& value) {
    const auto& text = std::get<std::string>(value);
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return std::string();
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

constinit const Shape kVariable = {
    .kind = Shape::Kind::text, .text = Shape::Text::line, .canonical = without_blanks};

std::optional<std::string> illegal_variable(std::string_view name, std::string_view prefix,
                                            std::string_view such_as) {
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        std::ranges::all_of(name, is_letter))
        return std::nullopt;
    return "expected a name that begins with " + std::string(prefix) + ", such as " +
           std::string(such_as);
}

Commands variable_edits(const std::map<std::string, std::string, std::less<>>& now,
                        const std::map<std::string, std::string, std::less<>>& then,
                        const std::string& path) {
    const auto removed = [&](const std::string& name) {
        std::string line = "sed -i '/^" + name;
        line += "=/d' ";
        return line + path;
    };
    Commands lines;
    for (const auto& [name, value] : now)
        if (!then.contains(name)) lines.push_back(removed(name));
    for (const auto& [name, value] : then) {
        const auto old = now.find(name);
        if (old != now.end() && old->second == value) continue;
        if (old != now.end()) lines.push_back(removed(name));
        std::string line = "echo '" + name;
        line += '=' + value;
        line += "' >> ";
        lines.push_back(line + path);
    }
    return lines;
}

}  // namespace core
