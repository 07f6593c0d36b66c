// SPDX-License-Identifier: Apache-2.0
#include "core/model/selectors.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "core/model/state.hpp"

namespace core {
namespace {

/// As iproute2's dcb/dcb_apptrust.c names them.
constexpr std::array<std::pair<std::uint8_t, std::string_view>, 6> kSelectors = {
    {{AppEntry::ethertype, "ethtype"},
     {AppEntry::stream, "stream-port"},
     {AppEntry::dgram, "dgram-port"},
     {AppEntry::any, "port"},
     {AppEntry::dscp, "dscp"},
     {AppEntry::pcp, "pcp"}}};
constexpr std::string_view kNone = "none";

}  // namespace

std::string selector_word(std::uint8_t selector) {
    for (const auto& [number, word] : kSelectors)
        if (number == selector) return std::string(word);
    return std::to_string(selector);
}

std::optional<std::uint8_t> selector_of(std::string_view word) {
    for (const auto& [number, name] : kSelectors)
        if (name == word) return number;
    std::uint8_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return number;
}

std::string trust_words(const std::vector<std::uint8_t>& order) {
    std::string out;
    for (const std::uint8_t selector : order) {
        if (!out.empty()) out += ' ';
        out += selector_word(selector);
    }
    return out.empty() ? std::string(kNone) : out;
}

std::optional<std::vector<std::uint8_t>> trust_selectors(std::string_view words) {
    std::vector<std::uint8_t> order;
    if (words == kNone) return order;
    while (true) {
        const std::size_t end = words.find(' ');
        const std::optional<std::uint8_t> selector = selector_of(words.substr(0, end));
        if (!selector) return std::nullopt;
        order.push_back(*selector);
        if (end == std::string_view::npos) return order;
        words.remove_prefix(end + 1);
    }
}

std::optional<std::vector<std::uint8_t>> trust_order(std::string_view words) {
    std::optional<std::vector<std::uint8_t>> order = trust_selectors(words);
    if (!order || trust_words(*order) != words) return std::nullopt;
    const auto named = [](std::uint8_t selector) {
        return std::ranges::find(kSelectors, selector,
                                 &std::pair<std::uint8_t, std::string_view>::first) !=
               kSelectors.end();
    };
    const std::set<std::uint8_t> each(order->begin(), order->end());
    if (each.size() != order->size() || !std::ranges::all_of(*order, named)) return std::nullopt;
    return order;
}

}  // namespace core
