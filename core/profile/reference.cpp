// SPDX-License-Identifier: Apache-2.0
#include "core/profile/reference.hpp"

#include <algorithm>
#include <charconv>

namespace core::references {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The terms of `index + 101`; nothing where they have no such form.
std::optional<std::vector<std::string>> terms_of(std::string_view expression) {
    std::vector<std::string> terms;
    while (true) {
        const std::size_t plus = expression.find('+');
        const std::string_view term = trimmed(expression.substr(0, plus));
        if (!is_name(term) && !(std::ranges::all_of(term, is_digit) && integer(term)))
            return std::nullopt;
        terms.emplace_back(term);
        if (plus == std::string_view::npos) return terms;
        expression.remove_prefix(plus + 1);
    }
}

}  // namespace

bool is_name(std::string_view text) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !text.empty() && letter(text.front()) && std::ranges::all_of(text, [&](char c) {
        return letter(c) || is_digit(c) || c == '-' || c == '.';
    });
}

bool is_count(const std::string& term) {
    return is_digit(term.front());
}

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::optional<std::vector<Piece>> cut(std::string_view text, std::string& bad) {
    std::vector<Piece> pieces;
    while (!text.empty()) {
        const std::size_t start = text.find(kOpening);
        if (start != 0) {
            pieces.push_back({std::string(text.substr(0, start)), {}});
            text.remove_prefix(std::min(start, text.size()));
            continue;
        }
        const std::size_t end = text.find('}');
        const std::size_t inside = kOpening.size();
        auto terms = end == std::string_view::npos ? std::nullopt
                                                   : terms_of(text.substr(inside, end - inside));
        if (!terms) {
            bad = text.substr(0, end == std::string_view::npos ? end : end + 1);
            return std::nullopt;
        }
        pieces.push_back({std::string(text.substr(0, end + 1)), std::move(*terms)});
        text.remove_prefix(end + 1);
    }
    return pieces;
}

std::string no_reference(const std::string& bad) {
    return "found " + in_quotes(bad) + ", expected ${NAME} or ${NAME + 1}";
}

std::vector<std::string> names_of(std::string_view text) {
    std::vector<std::string> names;
    std::string bad;
    for (const Piece& piece : cut(text, bad).value_or(std::vector<Piece>{}))
        for (const std::string& term : piece.terms)
            if (!is_count(term)) names.push_back(term);
    return names;
}

Node name_of(const Node::Member& member) {
    Node out = Node::of(Node::Kind::text, member.place);
    out.text = member.name;
    return out;
}

}  // namespace core::references

namespace core {
namespace {

using references::Piece;

/// Walks all texts and names that hold a reference.
template <typename Visit>
void each_reference(const Node& node, const std::string& pointer, const Visit& visit) {
    if (node.kind == Node::Kind::text && !node.substituted && has_reference(node.text))
        visit(node, pointer);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        each_reference(node.items[i], pointer_to(pointer, i), visit);
    for (const Node::Member& member : node.members) {
        const std::string at = pointer_to(pointer, member.name);
        if (has_reference(member.name)) visit(references::name_of(member), at);
        each_reference(member.value, at, visit);
    }
}

std::string misplaced(const std::string& term, Standing standing) {
    const bool of_port = term == "port" || term == "index";
    if (of_port && standing == Standing::before_match)
        return "found ${" + term + "}, which stands for nothing before a port is matched";
    if (term == "index" && standing == Standing::any_order)
        return "found ${index}, expected 'expect' beside it, so that a missing port moves no other";
    return {};
}

}  // namespace

bool has_reference(std::string_view text) {
    return text.find(references::kOpening) != std::string_view::npos;
}

bool is_built_in(std::string_view name) {
    return name == "port" || name == "hostname" || name == "index";
}

void check_references(const Node& node, Standing standing, const std::string& pointer,
                      Problems& problems) {
    each_reference(node, pointer, [&](const Node& text, const std::string& at) {
        std::string bad;
        const auto pieces = references::cut(text.text, bad);
        if (!pieces) problems.push_back({text.place, at, references::no_reference(bad)});
        for (const Piece& piece : pieces.value_or(std::vector<Piece>{}))
            for (const std::string& term : piece.terms)
                if (std::string reason = misplaced(term, standing); !reason.empty())
                    problems.push_back({text.place, at, std::move(reason)});
    });
}

std::set<std::string> names_in(const Node& node) {
    std::set<std::string> names;
    each_reference(node, "", [&](const Node& text, const std::string& /*pointer*/) {
        for (const std::string& name : references::names_of(text.text))
            if (!is_built_in(name)) names.insert(name);
    });
    return names;
}

bool uses_index(const Node& node) {
    bool found = false;
    each_reference(node, "", [&](const Node& text, const std::string& /*pointer*/) {
        const auto names = references::names_of(text.text);
        found = found || std::ranges::find(names, "index") != names.end();
    });
    return found;
}

}  // namespace core
