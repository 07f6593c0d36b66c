// SPDX-License-Identifier: Apache-2.0
#include "core/profile/variables.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/profile/keys.hpp"
#include "core/profile/profile.hpp"

namespace core {
namespace {

constexpr std::string_view kOpening = "${";

/// A text cut at its references: plain pieces, and the terms between `${` and `}`.
struct Piece {
    std::string text;  ///< of a plain piece, or of the reference as it stands
    std::vector<std::string> terms;
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Whether a variable can be called so.
bool is_name(std::string_view text) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !text.empty() && letter(text.front()) && std::ranges::all_of(text, [&](char c) {
        return letter(c) || is_digit(c) || c == '-' || c == '.';
    });
}

/// Whether a term is a number and not a name.
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

/// Nothing where a reference has not the form `${name}` or `${name + 1}`; then `bad` holds it.
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

/// The names among the terms of the text's references.
std::vector<std::string> names_used(std::string_view text) {
    std::vector<std::string> names;
    std::string bad;
    for (const Piece& piece : cut(text, bad).value_or(std::vector<Piece>{}))
        for (const std::string& term : piece.terms)
            if (!is_count(term)) names.push_back(term);
    return names;
}

/// The name of a member as a text, as which it may hold a reference.
Node name_of(const Node::Member& member) {
    Node out = Node::of(Node::Kind::text, member.place);
    out.text = member.name;
    return out;
}

/// Walks all texts and names that hold a reference.
template <typename Visit>
void each_reference(const Node& node, const std::string& pointer, const Visit& visit) {
    if (node.kind == Node::Kind::text && !node.substituted && has_reference(node.text))
        visit(node, pointer);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        each_reference(node.items[i], pointer_to(pointer, i), visit);
    for (const Node::Member& member : node.members) {
        const std::string at = pointer_to(pointer, member.name);
        if (has_reference(member.name)) visit(name_of(member), at);
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
    return text.find(kOpening) != std::string_view::npos;
}

bool is_built_in(std::string_view name) {
    return name == "port" || name == "hostname" || name == "index";
}

void check_references(const Node& node, Standing standing, const std::string& pointer,
                      Problems& problems) {
    each_reference(node, pointer, [&](const Node& text, const std::string& at) {
        std::string bad;
        const auto pieces = cut(text.text, bad);
        if (!pieces) problems.push_back({text.place, at, no_reference(bad)});
        for (const Piece& piece : pieces.value_or(std::vector<Piece>{}))
            for (const std::string& term : piece.terms)
                if (std::string reason = misplaced(term, standing); !reason.empty())
                    problems.push_back({text.place, at, std::move(reason)});
    });
}

std::set<std::string> names_in(const Node& node) {
    std::set<std::string> names;
    each_reference(node, "", [&](const Node& text, const std::string& /*pointer*/) {
        for (const std::string& name : names_used(text.text))
            if (!is_built_in(name)) names.insert(name);
    });
    return names;
}

bool uses_index(const Node& node) {
    bool found = false;
    each_reference(node, "", [&](const Node& text, const std::string& /*pointer*/) {
        const auto names = names_used(text.text);
        found = found || std::ranges::find(names, "index") != names.end();
    });
    return found;
}

namespace {

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
        Node name = name_of(member);
        replace(name, at);
        member.name = name.text;
    }
    return out;
}

void add_names(const std::map<std::string, std::string>& values, std::vector<std::string>& names) {
    for (const auto& [name, value] : values)
        names.push_back(name);
}

/// What is expected instead of the name, or may have been meant.
std::string instead_of(const std::string& name, const Bindings& bindings) {
    std::vector<std::string> known = {"port", "hostname", "index"};
    add_names(bindings.variables.set, known);
    add_names(bindings.variables.host, known);
    const auto own = bindings.variables.ports.find(bindings.port);
    if (own != bindings.variables.ports.end()) add_names(own->second, known);
    const std::string near = nearest(name, known);
    if (!near.empty()) return ", did you mean ${" + near + "}?";
    return ", expected --set " + name + "=VALUE or a value in --vars";
}

/// `on ens1f0, ens1f1`; of more than sixteen the first fifteen, and how many there are beside. Not
/// as a range: between the first and the last there may be ports on which nothing is missing.
std::string on_ports(const std::vector<std::string>& ports) {
    constexpr std::size_t most = 16;
    const std::size_t told = ports.size() > most ? most - 1 : ports.size();
    std::string out = " on ";
    for (std::size_t i = 0; i < told; ++i)
        out += (i == 0 ? "" : ", ") + ports[i];
    if (told < ports.size()) out += " and " + std::to_string(ports.size() - told) + " more";
    return out;
}

/// What a reference stands for; says what is wrong with it otherwise, and which names stand for
/// nothing.
std::optional<std::string> value_of(const Piece& piece, const Bindings& bindings,
                                    std::vector<std::string>& wrong,
                                    std::vector<std::string>& unbound) {
    std::int64_t sum = 0;
    std::string only;
    bool good = true;
    for (const std::string& term : piece.terms) {
        const std::optional<std::string> value =
            is_count(term) ? std::optional(term) : bindings.find(term);
        if (!value) {
            unbound.push_back(term);
            good = false;
            continue;
        }
        only = *value;
        if (piece.terms.size() == 1) continue;
        const std::optional<std::int64_t> number = integer(*value);
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
    std::vector<std::string> unbound;
    const auto pieces = cut(node.text, bad);
    if (!pieces) wrong.push_back(no_reference(bad));
    if (pieces)
        for (const Piece& piece : *pieces)
            out += piece.terms.empty() ? piece.text
                                       : value_of(piece, bindings, wrong, unbound).value_or("");
    for (std::string& reason : wrong)
        problems.push_back({node.place, pointer, std::move(reason)});
    Unbound own;
    for (const std::string& name : unbound)
        (bindings.unbound != nullptr ? *bindings.unbound : own)
            .add(name, bindings.port, instead_of(name, bindings), {node.place, pointer, ""});
    own.tell(problems);
    if (!wrong.empty() || !unbound.empty()) return;
    node.text = std::move(out);
    node.substituted = true;
}

}  // namespace

void Unbound::add(const std::string& name, const std::string& port, const std::string& instead,
                  Problem at) {
    ++added_;
    at.text = "found ${" + name + "}, which stands for nothing";
    const auto [known, fresh] = names_.try_emplace({name, instead}, Name{.first = at});
    if (at < known->second.first) known->second.first = std::move(at);
    std::vector<std::string>& ports = known->second.ports;
    if (!port.empty() && std::ranges::find(ports, port) == ports.end()) ports.push_back(port);
}

void Unbound::tell(Problems& problems) const {
    for (const auto& [key, name] : names_) {
        Problem problem = name.first;
        if (!name.ports.empty()) problem.text += on_ports(name.ports);
        problem.text += key.second;
        problems.push_back(std::move(problem));
    }
}

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
        const std::vector<std::string> names = names_used(text.text);
        if (std::ranges::all_of(names, [&](const auto& name) { return given.contains(name); }))
            substitute_text(text, bindings, at, problems);
    });
}

namespace {

std::map<std::string, std::string> read_values(const Node& node, const std::string& pointer,
                                               Problems& problems) {
    std::map<std::string, std::string> out;
    if (node.kind != Node::Kind::object) {
        problems.push_back({node.place, pointer, found(node) + ", expected an object"});
        return out;
    }
    for (const Node::Member& member : node.members) {
        const Node& value = member.value;
        const std::string at = pointer_to(pointer, member.name);
        const bool taken = is_built_in(member.name);
        if (!is_name(member.name) || taken) {
            problems.push_back({member.place, at,
                                "found " + in_quotes(member.name) +
                                    (taken ? ", which is built in" : ", expected a name")});
        } else if (value.kind == Node::Kind::text || value.kind == Node::Kind::number) {
            out[member.name] = value.text;
        } else if (value.kind == Node::Kind::boolean) {
            out[member.name] = value.flag ? "true" : "false";
        } else {
            problems.push_back({value.place, at, found(value) + ", expected a text or a number"});
        }
    }
    return out;
}

}  // namespace

Variables load_variables(const Source& source) {
    Problems problems;
    Variables out;
    const Node root = parse_tree(source.text, source.name, problems);
    if (ends_early(root, Pointer(), problems)) throw invalid_input(std::move(problems));
    if (root.kind != Node::Kind::object && problems.empty())
        problems.push_back({root.place, "", found(root) + ", expected an object"});
    for (const Node::Member& member : root.members) {
        const std::string at = pointer_to("", member.name);
        if (member.name == "host") {
            out.host = read_values(member.value, at, problems);
        } else if (member.name != "ports") {
            problems.push_back({member.place, at, unknown_key(member.name, {"host", "ports"})});
        } else if (member.value.kind != Node::Kind::object) {
            problems.push_back(
                {member.value.place, at, found(member.value) + ", expected an object of ports"});
        } else {
            for (const Node::Member& port : member.value.members) {
                out.order.emplace_back(port.name);
                out.ports[port.name] = read_values(port.value, pointer_to(at, port.name), problems);
            }
        }
    }
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

}  // namespace core
