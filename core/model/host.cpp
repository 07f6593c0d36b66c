// SPDX-License-Identifier: Apache-2.0
#include "core/model/host.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace core {
namespace {

struct Unit {
    char letter;
    std::uint64_t kilobytes;
};
constexpr std::array kUnits = {Unit{'G', 1'048'576}, Unit{'M', 1024}, Unit{'K', 1}};
constexpr std::uint64_t kLargestPage = 1'048'576;  // of a unit

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool plain = text.size() == 1 || !text.starts_with('0');
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !plain)
        return std::nullopt;
    return number;
}

bool leads_elsewhere(std::string_view path) {
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (part.empty() || part == "." || part == "..") return true;
        if (slash == std::string_view::npos) return false;
        path.remove_prefix(slash + 1);
    }
}

std::string swapped(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c == '.')
            c = '/';
        else if (c == '/')
            c = '.';
    }
    return out;
}

}  // namespace

std::optional<std::string> sysctl_path(std::string_view name) {
    const std::size_t first = name.find_first_of("./");
    const bool dots = first != std::string_view::npos && name[first] == '.';
    std::string path = dots ? swapped(name) : std::string(name);
    const bool odd = std::ranges::any_of(
        path, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; });
    if (odd || leads_elsewhere(path)) return std::nullopt;
    return path;
}

std::string one_blank(std::string_view value) {
    std::string out;
    for (const char c : value) {
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

std::string sysctl_name(std::string_view path) {
    return swapped(path);
}

std::optional<HugePagePool> parse_huge_page_pool(std::string_view name) {
    constexpr std::string_view at_node = "/node";
    HugePagePool pool;
    const std::size_t slash = name.find('/');
    if (slash != std::string_view::npos) {
        if (!name.substr(slash).starts_with(at_node)) return std::nullopt;
        const auto node = number_of(name.substr(slash + at_node.size()));
        if (!node || *node > UINT16_MAX) return std::nullopt;
        pool.node = static_cast<unsigned>(*node);
    }
    const std::string_view size = name.substr(0, slash);
    if (size == "default") return pool;
    const auto unit = std::ranges::find(kUnits, size.empty() ? '\0' : size.back(), &Unit::letter);
    if (unit == kUnits.end()) return std::nullopt;
    const auto count = number_of(size.substr(0, size.size() - 1));
    if (!count || *count == 0 || *count > kLargestPage) return std::nullopt;
    pool.size = *count * unit->kilobytes;
    return huge_page_size(pool.size) == size ? std::optional(pool) : std::nullopt;
}

std::string huge_page_size(std::uint64_t kilobytes) {
    for (const Unit& unit : kUnits)
        if (kilobytes % unit.kilobytes == 0)
            return std::to_string(kilobytes / unit.kilobytes) + unit.letter;
    return {};
}

}  // namespace core
