// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace core {

/// Where a value stands in a file; lines and columns count from 1.
struct Place {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
    auto operator<=>(const Place&) const = default;
};

/// One value of a JSON document with `//` comments, and where it stands.
struct Node {
    enum class Kind : std::uint8_t { null, boolean, number, text, array, object };
    struct Member;

    Kind kind = Kind::null;
    bool flag = false;
    bool substituted = false;  ///< a text that `${…}` made: it may stand for a number or a flag
    std::string text;          ///< contents of a text; the literal of a number
    Place place;
    std::vector<Node> items;
    std::vector<Member> members;  ///< in the file's order

    static Node of(Kind kind, Place place);
    [[nodiscard]] const Node* find(std::string_view name) const;
    [[nodiscard]] const Member* member(std::string_view name) const;
};

struct Node::Member {
    std::string name;
    Place place;  ///< of the name
    Node value;
};

/// One thing wrong in a file: `file:line:column: /json/pointer: what was found, what would do`.
struct Problem {
    Place place{};
    std::string pointer{};
    std::string text{};
    auto operator<=>(const Problem&) const = default;
};
using Problems = std::vector<Problem>;
std::string text(const Problem& problem);

/// All problems in the order of files and lines, each once, as what ends the command.
Error invalid_input(Problems problems);

/// The JSON pointer (RFC 6901) of a member or an item.
std::string pointer_to(const std::string& parent, std::string_view name);
std::string pointer_to(const std::string& parent, std::size_t index);

/// The text in single quotes, on one line and not endless.
std::string in_quotes(std::string_view text);
/// The value as JSON on one line, for people: `{"to": "10.0.0.0/8", "via": "${gateway}"}`.
std::string source_text(const Node& node);
/// What a value is, for `found …`.
std::string found(const Node& node);

/// Reads a document. A syntax error, a duplicate key or a depth over 64 is a problem; after a
/// syntax error the tree is null. Never throws.
Node parse_tree(std::string_view text, const std::string& file, Problems& problems);

}  // namespace core
