// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Where a value stands in a file; lines and columns count from 1.
struct Place {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
};

/// One value of a JSON document with `//` comments, and where it stands.
struct Node {
    enum class Kind : std::uint8_t { null, boolean, number, text, array, object };
    struct Member;

    Kind kind = Kind::null;
    bool flag = false;
    std::string text;  ///< contents of a text; the literal of a number
    Place place;
    std::vector<Node> items;
    std::vector<Member> members;  ///< in the file's order

    [[nodiscard]] const Node* find(std::string_view name) const;
};

struct Node::Member {
    std::string name;
    Place place;  ///< of the name
    Node value;
};

/// One thing wrong in a file: `file:line:column: /json/pointer: what was found, what would do`.
struct Problem {
    Place place;
    std::string pointer;
    std::string text;
};
using Problems = std::vector<Problem>;
std::string text(const Problem& problem);

/// Reads a document. A syntax error, a duplicate key or a depth over 64 is a problem; after a
/// syntax error the tree is null. Never throws.
Node parse_tree(std::string_view text, const std::string& file, Problems& problems);

}  // namespace core
