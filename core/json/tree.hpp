// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/json/list.hpp"
#include "core/json/shared_text.hpp"
#include "core/model/quote.hpp"

namespace core {

/// Where a value stands in a file; lines and columns count from 1.
struct Place {
    SharedText file;
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
    std::string text;          ///< bytes of a text (bytes_of); the literal of a number
    Place place;
    List<Node> items;
    List<Member> members;  ///< in the file's order

    static Node of(Kind kind, Place place);
    [[nodiscard]] const Node* find(std::string_view name) const;
    [[nodiscard]] const Member* member(std::string_view name) const;
};

struct Node::Member {
    SharedText name;
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
/// The first thousand of a file: where all is wrong, the rest helps nobody.
class Problems : public std::vector<Problem> {
public:
    void push_back(Problem problem) {
        if (vector::size() < kMost)
            vector::push_back(std::move(problem));
        else
            ++more_;
    }
    /// How many problems there are, those that are not kept among them.
    [[nodiscard]] std::size_t size() const { return vector::size() + more_; }
    [[nodiscard]] std::size_t more() const { return more_; }

private:
    static constexpr std::size_t kMost = 1000;
    std::size_t more_ = 0;
};
std::string text(const Problem& problem);

/// All problems in the order of files and lines, each once, as what ends the command.
Error invalid_input(Problems problems);

/// The JSON pointer (RFC 6901) of a member or an item.
std::string pointer_to(const std::string& parent, std::string_view name);
std::string pointer_to(const std::string& parent, std::size_t index);

/// The place of a value in a document. The JSON pointer is built only when asked for, since a large
/// document has a million values and few problems. Refers to the names it was made of, which have
/// to outlive it.
class Pointer {
public:
    Pointer() = default;               ///< of the document itself
    Pointer(const std::string& whole)  // NOLINT(google-explicit-constructor): as a text would
        : name_(whole) {}
    Pointer(const Pointer& parent, std::string_view name) : parent_(&parent), name_(name) {}
    Pointer(const Pointer& parent, std::size_t index) : parent_(&parent), index_(index) {}
    Pointer(Pointer&& gone, std::string_view name) = delete;
    Pointer(Pointer&& gone, std::size_t index) = delete;

    [[nodiscard]] std::string text() const;

private:
    const Pointer* parent_ = nullptr;
    std::string_view name_{};
    std::optional<std::size_t> index_{};
};

/// A number as written, unless too long.
std::string number_text(std::string_view literal);
/// The value as JSON on one line, for people: `{"to": "10.0.0.0/8", "via": "${gateway}"}`.
std::string source_text(const Node& node);
/// What a value is, for `found …`.
std::string found(const Node& node);

/// How much memory the tree of a text may take. What somebody hands over takes no more than a text
/// of its length can need in earnest; what rocectl wrote down itself, of whatever a kernel had,
/// takes what it takes: nothing of it may be refused when it is read back.
enum class Room : std::uint8_t { by_length, any };

/// Reads a document. A syntax error, a duplicate key, a depth over 64 and more values than there is
/// room for are problems; after any but the second the tree is null. Never throws.
Node parse_tree(std::string_view text, const std::string& file, Problems& problems,
                Room room = Room::by_length);

/// Whether a name or a text holds a NUL, where C and the kernel end it; each is a problem. Of what
/// somebody wrote: what a kernel had is data.
bool ends_early(const Node& node, const Pointer& pointer, Problems& problems);

}  // namespace core
