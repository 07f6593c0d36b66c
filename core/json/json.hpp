// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/bytes.hpp"
#include "core/json/tree.hpp"
#include "core/model/field.hpp"
#include "core/model/state.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/plan.hpp"

namespace core {

using Json = nlohmann::ordered_json;

/// A field's value as JSON: a list for items, an object for maps, null where there is none.
Json to_json(const Shape& shape, const Elements& elements);
/// A value of one element as JSON.
Json to_json(const Shape& shape, const Value& value);
/// One element as a profile states it.
struct Stated {
    std::string element;         ///< "" for a plain setting
    std::optional<Value> value;  ///< nothing: it should not be there
    Place place;
    std::string pointer;
};
/// Reads what a profile states of a setting: `null` in a map and for a record, and
/// `"absent": true` in a list, state absence. What holds `${…}` is left out, for nothing can be
/// said about it yet; what is wrong is added to `problems`.
std::vector<Stated> parse_stated(const Shape& shape, const Node& node, const Pointer& pointer,
                                 Problems& problems);
/// Whether a `${…}` that is not substituted stands anywhere in the value.
bool is_pending(const Node& node);
/// The number a value stands for: a whole one, not negative, of 64 bits.
std::optional<std::uint64_t> number_of(const Node& node);

/// What the values that are read are. Those that somebody states in a profile or describes in a
/// state file are held to the shapes. What a kernel had, and rocectl wrote down, is data: a kernel
/// and other programs put there what they like, and nothing of it is refused.
enum class Values : std::uint8_t { stated, described, observed };

/// Reads a field's whole value; what is wrong is added to `problems`. A text that came from a
/// variable may stand for a number or a flag.
Elements parse_elements(const Shape& shape, const Node& node, const Pointer& pointer,
                        Problems& problems, Values values);

/// `{"host": …, "ports": […]}`: a snapshot's body, and what --state takes.
Json to_json(const State& state);
/// The state as JSON text, behind the members of `head`. No tree is made on the way: a host may
/// have 100,000 routes.
std::string written(const State& state, const Json& head, int indent);
/// Hands on the text that `written` gives, piece by piece: that of a large host is larger than the
/// host in memory.
void write_state(const State& state, const Json& head, int indent, const TextSink& sink);
/// On one line, for a process of the same run.
std::string written(const State& state);
/// Adds what the list of a field holds that is a long one (Listed), without elements on the way.
void read_listed(Port& port, const Field& field, const Node& node, const Pointer& pointer,
                 Problems& problems, Values values);

/// What a whole document of rocectl's holds around it was observed. Throws Error (invalid_input)
/// with a line for each problem.
State parse_state(std::string_view text, const std::string& file,
                  Values values = Values::described);

/// The state that a part of a document describes; what is wrong with it is added to the problems.
State read_state(const Node& node, Problems& problems, Values values);

Json to_json(const Plan& plan);
Json to_json(const Report& report);
Json to_json(const Finding& finding);
Json to_json(const Step& step);
Json to_json(const Outcome& outcome);
Json to_json(const Origin& origin);

}  // namespace core
