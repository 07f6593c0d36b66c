// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/json/nested.hpp"
#include "core/model/object.hpp"

namespace core {
namespace {

/// What a command's document holds around a state; a whole document can be given to --state.
constexpr std::array<std::string_view, 4> kEnvelope = {"format", "rocectl", "command", "status"};

Json port_json(const Port& port) {
    Json out = {{"name", port.name}};
    for (const Field& field : fields())
        if (const auto elements = field.get(port))
            nested(out, key_in_place(field)) = to_json(field.shape, *elements);
    for (const auto& [object, refusal] : port.refused)
        out["refused"][std::string(row_of(object).name)] = {{"code", refusal.code},
                                                            {"text", refusal.text}};
    for (const Object object : port.unknown)
        out["unknown"].push_back(row_of(object).name);
    for (const auto& [object, names] : port.absent)
        out["absent"][std::string(row_of(object).name)] = names;
    return out;
}

class StateReader {
public:
    explicit StateReader(Problems& problems) : problems_(problems) {}

    State state(const Node& root) {
        State out;
        if (!is(root, Node::Kind::object, "", "a state as rocectl snapshot writes it")) return out;
        for (const Node::Member& member : root.members) {
            const std::string at = pointer_to("", member.name);
            if (member.name == "host") {
                host(member.value, at, out);
            } else if (member.name == "ports") {
                ports(member.value, at, out.ports);
            } else if (std::ranges::find(kEnvelope, member.name) == kEnvelope.end()) {
                unknown_key(member, at);
            }
        }
        if (const Node* format = root.find("format");
            format != nullptr && number_of(*format) != std::uint64_t{1})
            problem(*format, "/format", found(*format) + ", expected 1");
        if (root.find("ports") == nullptr) problem(root, "", "found no 'ports', expected a list");
        return out;
    }

private:
    void problem(const Node& node, const std::string& pointer, std::string text) {
        problems_.push_back({node.place, pointer, std::move(text)});
    }
    void unknown_key(const Node::Member& member, const std::string& pointer) {
        problems_.push_back({member.place, pointer, "found unknown key " + in_quotes(member.name)});
    }
    bool is(const Node& node, Node::Kind kind, const std::string& pointer,
            std::string_view expected) {
        if (node.kind == kind) return true;
        problem(node, pointer, found(node) + ", expected " + std::string(expected));
        return false;
    }
    void take_text(const Node::Member& member, const std::string& pointer, std::string& out) {
        if (is(member.value, Node::Kind::text, pointer, "a text")) out = member.value.text;
    }

    void host(const Node& node, const std::string& pointer, State& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            if (member.name == "name") take_text(member, at, out.host.name);
            if (member.name == "kernel") take_text(member, at, out.host.kernel);
        }
        const Port bare(kHost);
        Port whole = bare;
        contents(node, pointer, whole);
        if (!(whole == bare)) out.ports.push_back(std::move(whole));
    }

    void ports(const Node& node, const std::string& pointer, std::vector<Port>& out) {
        if (!is(node, Node::Kind::array, pointer, "a list of ports")) return;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const std::string at = pointer_to(pointer, i);
            Port port = this->port(node.items[i], at);
            if (!port.name.empty() && std::ranges::find(out, port.name, &Port::name) != out.end())
                problem(node.items[i], at, "found port " + in_quotes(port.name) + " again");
            out.push_back(std::move(port));
        }
    }

    Port port(const Node& node, const std::string& pointer) {
        Port out;
        if (!is(node, Node::Kind::object, pointer, "a port")) return out;
        const Node* name = node.find("name");
        const bool named = name != nullptr && name->kind == Node::Kind::text && !name->text.empty();
        if (!named) problem(node, pointer, "found no 'name', expected the name of a port");
        if (named) {
            out.name = name->text;
            // What no port can be called is a path, a command's words or kHost.
            constexpr Shape shape{.kind = Shape::Kind::text, .text = Shape::Text::name};
            if (const auto why = illegal(shape, Value(out.name)))
                problem(*name, pointer_to(pointer, "name"), *why);
        }
        contents(node, pointer, out);
        return out;
    }

    /// A field of a port is none of the host's, and the other way round.
    static bool belongs(const Field& field, const Port& port) {
        return (row_of(field.object).lives == Lives::host) == (port.name == kHost);
    }

    void contents(const Node& node, const std::string& pointer, Port& out) {
        known_keys(node, "", pointer, out);
        for (const Field& field : fields()) {
            std::string at = pointer;
            if (!belongs(field, out)) continue;
            if (const Node* value = stated(node, key_in_place(field), at))
                set(out, field, *value, at);
        }
        if (const Node* refused = node.find("refused"))
            read_refused(*refused, pointer_to(pointer, "refused"), out);
        if (const Node* unknown = node.find("unknown"))
            read_unknown(*unknown, pointer_to(pointer, "unknown"), out);
        if (const Node* absent = node.find("absent"))
            read_absent(*absent, pointer_to(pointer, "absent"), out);
    }

    /// Reports what is no field's key and no beginning of one.
    void known_keys(const Node& node, const std::string& prefix, const std::string& pointer,
                    const Port& port) {
        constexpr std::array<std::string_view, 4> own = {"name", "refused", "unknown", "absent"};
        for (const Node::Member& member : node.members) {
            const std::string key = prefix + member.name;
            const std::string at = pointer_to(pointer, member.name);
            const auto here = [&](const Field& field) {
                return key_in_place(field) == key && belongs(field, port);
            };
            if (std::ranges::any_of(fields(), here)) continue;
            if (std::ranges::find(own, key) != own.end()) continue;
            if (key == "kernel" && port.name == kHost) continue;
            const bool begins = std::ranges::any_of(fields(), [&](const Field& other) {
                return key_in_place(other).starts_with(key + '.') && belongs(other, port);
            });
            if (!begins) {
                unknown_key(member, at);
            } else if (is(member.value, Node::Kind::object, at, "an object")) {
                known_keys(member.value, key + '.', at, port);
            }
        }
    }

    static const Node* stated(const Node& node, std::string_view key, std::string& pointer) {
        const std::size_t dot = key.find('.');
        const std::string_view first = key.substr(0, dot);
        const Node* value = node.find(first);
        pointer = pointer_to(pointer, first);
        if (value == nullptr || dot == std::string_view::npos) return value;
        return stated(*value, key.substr(dot + 1), pointer);
    }

    void set(Port& port, const Field& field, const Node& node, const std::string& pointer) {
        const std::size_t before = problems_.size();
        const Elements elements = parse_elements(field.shape, node, pointer, problems_);
        if (problems_.size() > before) return;
        field.set(port, elements);
        // Only some fields can hold nothing; in others it would be read as zero. A number may be
        // too large for where it is kept.
        const bool number =
            field.shape.kind == Shape::Kind::number || field.shape.kind == Shape::Kind::counter;
        if ((number || node.kind == Node::Kind::null) && field.get(port) != elements)
            problem(node, pointer, found(node) + ", expected " + admits(field.shape));
    }

    std::optional<Object> object_named(const std::string& name, const Place& place,
                                       const std::string& pointer) {
        const std::optional<Object> object = find_object(name);
        if (!object)
            problems_.push_back({place, pointer, "found unknown object " + in_quotes(name)});
        return object;
    }

    void read_refused(const Node& node, const std::string& pointer, Port& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            const std::optional<Object> object = object_named(member.name, member.place, at);
            if (!object || !is(member.value, Node::Kind::object, at, "an object")) continue;
            constexpr std::uint64_t max_errno = 4095;  // MAX_ERRNO, include/linux/err.h
            const Node* code = member.value.find("code");
            const Node* text = member.value.find("text");
            const auto number = code == nullptr ? std::nullopt : number_of(*code);
            if (!number || *number > max_errno || text == nullptr ||
                text->kind != Node::Kind::text) {
                problem(member.value, at, "expected 'code', an errno, and 'text'");
                continue;
            }
            out.refused[*object] = {.code = static_cast<int>(*number), .text = text->text};
        }
    }

    void read_unknown(const Node& node, const std::string& pointer, Port& out) {
        if (!is(node, Node::Kind::array, pointer, "a list of objects")) return;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& item = node.items[i];
            const std::string at = pointer_to(pointer, i);
            if (!is(item, Node::Kind::text, at, "the name of an object")) continue;
            if (const auto object = object_named(item.text, item.place, at))
                out.unknown.insert(*object);
        }
    }

    void read_absent(const Node& node, const std::string& pointer, Port& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            const std::optional<Object> object = object_named(member.name, member.place, at);
            if (!object || !is(member.value, Node::Kind::array, at, "a list of names")) continue;
            if (!row_of(*object).by_name)
                problem(member.value, at, "what there is of " + member.name + " is listed whole");
            for (std::size_t i = 0; i < member.value.items.size(); ++i)
                if (is(member.value.items[i], Node::Kind::text, pointer_to(at, i), "a name"))
                    out.absent[*object].insert(member.value.items[i].text);
        }
    }

    Problems& problems_;
};

}  // namespace

Json& nested(Json& object, std::string_view key) {
    const std::size_t dot = key.find('.');
    Json& inner = object[std::string(key.substr(0, dot))];
    return dot == std::string_view::npos ? inner : nested(inner, key.substr(dot + 1));
}

Json to_json(const State& state) {
    Json out = {{"host", {{"name", state.host.name}, {"kernel", state.host.kernel}}},
                {"ports", Json::array()}};
    for (const Port& port : state.ports) {
        if (port.name != kHost) {
            out["ports"].push_back(port_json(port));
            continue;
        }
        const Json whole = port_json(port);
        for (const auto& [key, value] : whole.items())
            if (key != "name") out["host"][key] = value;
    }
    return out;
}

State read_state(const Node& node, Problems& problems) {
    return StateReader(problems).state(node);
}

State parse_state(std::string_view text, const std::string& file) {
    Problems problems;
    const Node root = parse_tree(text, file, problems);
    State state;
    // After a syntax error there is nothing more to be said about the tree.
    if (root.kind != Node::Kind::null || problems.empty())
        state = StateReader(problems).state(root);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return state;
}

}  // namespace core
