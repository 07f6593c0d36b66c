// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/tree.hpp"

/// What a text with references is made of.
namespace core::references {

constexpr std::string_view kOpening = "${";

/// A text cut at its references: plain pieces, and the terms between `${` and `}`.
struct Piece {
    std::string text;  ///< of a plain piece, or of the reference as it stands
    std::vector<std::string> terms;
};

/// Nothing where a reference has not the form `${name}` or `${name + 1}`; then `bad` holds it.
std::optional<std::vector<Piece>> cut(std::string_view text, std::string& bad);
/// Says so of `bad`.
std::string no_reference(const std::string& bad);

/// The names among the terms of the text's references.
std::vector<std::string> names_of(std::string_view text);
/// The name of a member as a text, as which it may hold a reference.
Node name_of(const Node::Member& member);
/// Whether a term is a number and not a name.
bool is_count(const std::string& term);
/// Whether a variable can be called so.
bool is_name(std::string_view text);
std::optional<std::int64_t> integer(std::string_view text);

}  // namespace core::references

namespace core {

/// The context of a `${…}`, which decides the names it may use.
enum class Standing : std::uint8_t {
    before_match,  ///< in match and expect: no port is known yet
    any_order,     ///< in an entry without expect: ports have no fixed position
    in_order,      ///< in an entry that says how many ports it matches
};

/// Checks the form of every `${…}` in the value, and that the built-in names stand where they mean
/// something.
void check_references(const Node& node, Standing standing, const std::string& pointer,
                      Problems& problems);

/// Whether the text holds a `${`.
bool has_reference(std::string_view text);

/// What port, hostname and index stand for is not for a file or a person to say.
bool is_built_in(std::string_view name);

/// The names that `${…}` of the value use, without the built-in ones.
std::set<std::string> names_in(const Node& node);
/// Whether a `${…}` of the value, or of a name in it, uses the position of the port.
bool uses_index(const Node& node);

}  // namespace core
