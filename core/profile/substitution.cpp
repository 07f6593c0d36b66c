// SPDX-License-Identifier: Apache-2.0
#include "core/profile/substitution.hpp"

#include <algorithm>
#include <limits>

#include "core/profile/keys.hpp"
#include "core/profile/reference.hpp"

namespace core {
namespace {

using references::Piece;

/// The value with every text and name that holds a reference as `replace` leaves it.
template <typename Replace>
Node replaced(const Node& node, const std::string& pointer, const Replace& replace) {
    Node out = node;
    if (out.kind == Node::Kind::text && has_reference(out.text)) replace(out, pointer);
    for (std::size_t i = 0; i < out.items.size(); ++i)
        out.items[i] = replaced(node.items[i], pointer_to(pointer, i), replace);
    for (Node::Member& member : out.members) {
        const std::string at = pointer_to(pointer, member.name);
        member.value = replaced(member.value, at, replace);
        if (!has_reference(member.name)) continue;
        Node name = references::name_of(member);
        replace(name, at);
        member.name = name.text;
    }
    return out;
}

void add_names(const std::map<std::string, std::string>& values, std::vector<std::string>& names) {
    for (const auto& [name, value] : values)
        names.push_back(name);
}

std::string nothing(const std::string& name, const Bindings& bindings) {
    std::vector<std::string> known = {"port", "hostname", "index"};
    add_names(bindings.variables.set, known);
    add_names(bindings.variables.host, known);
    const auto own = bindings.variables.ports.find(bindings.port);
    if (own != bindings.variables.ports.end()) add_names(own->second, known);
    std::string out = "found ${" + name + "}, which stands for nothing";
    if (!bindings.port.empty()) out += " on " + bindings.port;
    const std::string near = nearest(name, known);
    if (!near.empty()) return out + ", did you mean ${" + near + "}?";
    return out + ", expected --set " + name + "=VALUE or a value in --vars";
}

/// What a reference stands for; says what is wrong with it otherwise.
std::optional<std::string> value_of(const Piece& piece, const Bindings& bindings,
                                    std::vector<std::string>& wrong) {
    std::int64_t sum = 0;
    std::string only;
    bool good = true;
    for (const std::string& term : piece.terms) {
        const std::optional<std::string> value =
            references::is_count(term) ? std::optional(term) : bindings.find(term);
        if (!value) {
            wrong.push_back(nothing(term, bindings));
            good = false;
            continue;
        }
        only = *value;
        if (piece.terms.size() == 1) continue;
        const std::optional<std::int64_t> number = references::integer(*value);
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
        if (!number || *number > most || *number < -most || sum > most || sum < -most) {
            wrong.push_back("found " + in_quotes(*value) + " for '" + term + "' in " + piece.text +
                            ", expected an integer");
            good = false;
            continue;
        }
        sum += *number;
    }
    if (!good) return std::nullopt;
    return piece.terms.size() == 1 ? only : std::to_string(sum);
}

void substitute_text(Node& node, const Bindings& bindings, const std::string& pointer,
                     Problems& problems) {
    std::string out;
    std::string bad;
    std::vector<std::string> wrong;
    const auto pieces = references::cut(node.text, bad);
    if (!pieces) wrong.push_back(references::no_reference(bad));
    if (pieces)
        for (const Piece& piece : *pieces)
            out += piece.terms.empty() ? piece.text : value_of(piece, bindings, wrong).value_or("");
    for (std::string& reason : wrong)
        problems.push_back({node.place, pointer, std::move(reason)});
    if (!wrong.empty()) return;
    node.text = std::move(out);
    node.substituted = true;
}

}  // namespace

std::optional<std::string> Bindings::find(const std::string& name) const {
    if (name == "hostname") return hostname;
    if (name == "port" && !port.empty()) return port;
    if (name == "index" && index) return std::to_string(*index);
    const auto in = [&](const std::map<std::string, std::string>& values) {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    if (auto value = in(variables.set)) return value;
    const auto own = variables.ports.find(port);
    if (own != variables.ports.end())
        if (auto value = in(own->second)) return value;
    return in(variables.host);
}

Node substitute(const Node& node, const Bindings& bindings, const std::string& pointer,
                Problems& problems) {
    return replaced(node, pointer, [&](Node& text, const std::string& at) {
        substitute_text(text, bindings, at, problems);
    });
}

Node substitute_given(const Node& node, const std::map<std::string, std::string>& given,
                      const std::string& pointer, Problems& problems) {
    const Variables variables{.set = given};
    const Bindings bindings{
        .variables = variables, .hostname = {}, .port = {}, .index = std::nullopt};
    return replaced(node, pointer, [&](Node& text, const std::string& at) {
        const std::vector<std::string> names = references::names_of(text.text);
        if (std::ranges::all_of(names, [&](const auto& name) { return given.contains(name); }))
            substitute_text(text, bindings, at, problems);
    });
}

}  // namespace core
