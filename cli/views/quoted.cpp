// SPDX-License-Identifier: Apache-2.0
#include "cli/views/quoted.hpp"

#include <nlohmann/json.hpp>

#include "cli/views/printable.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

/// What is not UTF-8 replaced, as in the JSON documents.
std::string utf8(std::string_view text) {
    const core::Json quoted = std::string(text);
    const std::string whole = core::written(quoted);
    return core::Json::parse(whole).get<std::string>();
}

std::string_view entity(char c) {
    switch (c) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&#39;";
        default: return {};
    }
}

}  // namespace

std::string xml(std::string_view text) {
    std::string out;
    for (const char c : utf8(text)) {
        if (const std::string_view named = entity(c); !named.empty())
            out += named;
        else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
            out += '?';
        else
            out += c;
    }
    return out;
}

std::string html(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        if (const std::string_view named = entity(c); !named.empty())
            out += named;
        else
            out += c;
    }
    return out;
}

std::string label(std::string_view text) {
    std::string out;
    for (const char c : on_one_line(text)) {
        if (c == '\\' || c == '"') out += '\\';
        out += c;
    }
    return out;
}

std::string plugin_text(std::string_view text) {
    std::string out = on_one_line(text);
    for (char& c : out)
        if (c == '|') c = '/';
    return out;
}

}  // namespace cli
