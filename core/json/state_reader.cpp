// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>

#include "core/json/json.hpp"
#include "core/json/plan_json.hpp"
#include "core/model/object.hpp"

namespace core {
namespace {

/// What a command's document holds around a state; a whole document can be given to --state.
constexpr std::array<std::string_view, 4> kEnvelope = {"format", "rocectl", "command", "status"};

/// What may stand at a key of a port, or of the host.
struct Key {
    std::optional<std::size_t> field{};  ///< its place among all fields
    bool begins = false;                 ///< an object in which there are keys of fields
};
using Keys = std::unordered_map<std::string, Key>;

/// A field of a port is none of the host's, and the other way round.
Keys made_keys(bool of_host) {
    Keys out;
    for (const char* own : {"name", "refused", "unknown", "absent"})
        out.try_emplace(own);
    if (of_host) out.try_emplace("kernel");
    if (of_host) out.try_emplace("time");
    for (std::size_t i = 0; i < fields().size(); ++i) {
        const Field& field = fields()[i];
        if ((row_of(field.object).lives == Lives::host) != of_host) continue;
        const std::string key(key_in_place(field));
        out[key].field = i;
        for (std::size_t dot = key.find('.'); dot != std::string::npos;
             dot = key.find('.', dot + 1))
            out[key.substr(0, dot)].begins = true;
    }
    return out;
}

const Keys& keys_of(bool of_host) {
    static const Keys host = made_keys(true);
    static const Keys port = made_keys(false);
    return of_host ? host : port;
}

/// More than a kernel makes one of at a time; each takes some KiB.
constexpr std::size_t kMostPorts = 16384;

class StateReader {
public:
    StateReader(Problems& problems, Values values)
        : problems_(problems),
          observed_(values == Values::observed),
          by_hand_(values != Values::observed) {}

    State state(const Node& root) {
        State out;
        const Pointer whole;
        if (!is(root, Node::Kind::object, whole, "a state as rocectl snapshot writes it"))
            return out;
        // What rocectl wrote says so: no such thing stands in a state that a person wrote.
        observed_ = observed_ || root.find("command") != nullptr;
        if (!observed_ && ends_early(root, whole, problems_)) return out;
        for (const Node::Member& member : root.members) {
            const Pointer at(whole, member.name);
            if (member.name == "host") {
                host(member.value, at, out);
            } else if (member.name == "ports") {
                ports(member.value, at, out.ports);
            } else if (member.name == "declined") {
                if (is(member.value, Node::Kind::array, at, "a list of values"))
                    out.refused_optional = PlanReader(problems_, Values::observed)
                                               .refused_optional(member.value, at.text());
            } else if (std::ranges::find(kEnvelope, member.name) == kEnvelope.end()) {
                unknown_key(member, at);
            }
        }
        if (const Node* format = root.find("format");
            format != nullptr && number_of(*format) != std::uint64_t{1})
            problem(*format, Pointer(whole, "format"), found(*format) + ", expected 1");
        if (root.find("ports") == nullptr)
            problem(root, whole, "found no 'ports', expected a list");
        return out;
    }

private:
    void problem(const Node& node, const Pointer& pointer, std::string text) {
        problems_.push_back({node.place, pointer.text(), std::move(text)});
    }
    void unknown_key(const Node::Member& member, const Pointer& pointer) {
        problems_.push_back(
            {member.place, pointer.text(), "found unknown key " + in_quotes(member.name)});
    }
    bool is(const Node& node, Node::Kind kind, const Pointer& pointer, std::string_view expected) {
        if (node.kind == kind) return true;
        problem(node, pointer, found(node) + ", expected " + std::string(expected));
        return false;
    }
    void take_text(const Node::Member& member, const Pointer& pointer, std::string& out) {
        if (is(member.value, Node::Kind::text, pointer, "a text")) out = member.value.text;
    }

    void take_time(const Node::Member& member, const Pointer& pointer, std::uint64_t& out) {
        const auto number = number_of(member.value);
        if (number)
            out = *number;
        else
            problem(member.value, pointer,
                    found(member.value) + ", expected the seconds since 1970 as a number");
    }

    void host(const Node& node, const Pointer& pointer, State& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const Pointer at(pointer, member.name);
            if (member.name == "name") take_text(member, at, out.host.name);
            if (member.name == "kernel") take_text(member, at, out.host.kernel);
            if (member.name == "time") take_time(member, at, out.host.time);
        }
        const Port bare(kHost);
        Port whole = bare;
        contents(node, pointer, whole);
        if (!(whole == bare)) out.ports.push_back(std::move(whole));
    }

    void ports(const Node& node, const Pointer& pointer, std::vector<Port>& out) {
        if (!is(node, Node::Kind::array, pointer, "a list of ports")) return;
        if (node.items.size() > kMostPorts) {
            problem(node, pointer,
                    "found " + std::to_string(node.items.size()) + " ports, expected at most " +
                        std::to_string(kMostPorts));
            return;
        }
        std::set<std::string_view> names;
        out.reserve(out.size() + node.items.size() + 1);  // the host may come behind them
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& item = node.items[i];
            const Pointer at(pointer, i);
            if (!is(item, Node::Kind::object, at, "a port")) continue;
            Port port = this->port(item, at);
            if (const Node* name = item.find("name");
                !port.name.empty() && !names.insert(name->text).second)
                problem(item, at, "found port " + in_quotes(port.name) + " again");
            out.push_back(std::move(port));
        }
    }

    Port port(const Node& node, const Pointer& pointer) {
        Port out;
        const Node* name = node.find("name");
        const bool named = name != nullptr && name->kind == Node::Kind::text && !name->text.empty();
        if (!named) problem(node, pointer, "found no 'name', expected the name of a port");
        if (named) {
            out.name = name->text;
            // What no port can be called is a path, a command's words or kHost.
            constexpr Shape shape{.kind = Shape::Kind::text, .text = Shape::Text::name};
            const auto why = observed_ ? std::nullopt : illegal(shape, Value(out.name));
            if (why || out.name == kHost)
                problem(*name, Pointer(pointer, "name"),
                        why.value_or(found(*name) + ", which is no port's name"));
        }
        contents(node, pointer, out);
        return out;
    }

    /// Which nodes are the values of which fields, by the place of the field among all.
    using Found = std::vector<const Node*>;

    /// The values a file states for a field with a single value.
    struct Single {
        const Field* field = nullptr;
        const Node* node = nullptr;
        Elements stated{};
    };

    static bool is_single(const Shape& shape) {
        return !is_collection(shape) && shape.kind != Shape::Kind::list &&
               shape.kind != Shape::Kind::words;
    }

    void contents(const Node& node, const Pointer& pointer, Port& out) {
        const std::span<const Field> all = fields();
        found_.assign(all.size(), nullptr);
        look_for_fields(node, "", pointer, keys_of(out.name == kHost), &found_);
        singles_.clear();
        for (std::size_t i = 0; i < found_.size(); ++i) {
            if (found_[i] == nullptr) continue;
            const Field& field = all[i];
            Elements stated = set_at(out, field, key_in_place(field), *found_[i], pointer);
            if (by_hand_ && !stated.empty() && is_single(field.shape))
                singles_.push_back({&field, found_[i], std::move(stated)});
        }
        if (by_hand_ && problems_.empty()) check_each_holds(out, pointer);
        if (const Node* refused = node.find("refused"))
            read_refused(*refused, Pointer(pointer, "refused"), out);
        if (const Node* unknown = node.find("unknown"))
            read_unknown(*unknown, Pointer(pointer, "unknown"), out);
        if (const Node* absent = node.find("absent"))
            read_absent(*absent, Pointer(pointer, "absent"), out);
    }

    /// Two keys can be about one thing, rdma.device and rdma.name: where they differ, one of them
    /// would be lost without a word. What rocectl wrote may have been edited since.
    void check_each_holds(const Port& port, const Pointer& pointer) {
        for (const Single& single : singles_) {
            const Field& field = *single.field;
            // What is not told beside the others, as lacp_rate in another mode, is no
            // contradiction.
            const Elements held = field.get(port).value_or(Elements{});
            if (held.empty() || held == single.stated) continue;
            std::string at(key_in_place(field));
            std::ranges::replace(at, '.', '/');
            problems_.push_back({single.node->place, pointer.text() + '/' + at,
                                 core::found(*single.node) + ", and " +
                                     in_quotes(text(held.begin()->second)) +
                                     " by another key; expected the two to agree"});
        }
    }

    /// Reports keys that are neither a field's key nor a prefix of one. Fields are not looked up
    /// below a name that contains a dot, which looks nested and is not.
    void look_for_fields(const Node& node, const std::string& prefix, const Pointer& pointer,
                         const Keys& keys, Found* found) {
        for (const Node::Member& member : node.members) {
            const auto known =
                keys.find(prefix.empty() ? member.name.text()
                                         : name_.assign(prefix).append(member.name.text()));
            const Pointer at(pointer, member.name);
            if (known == keys.end()) {
                unknown_key(member, at);
                continue;
            }
            const Key& key = known->second;
            const bool dotted = member.name.text().find('.') != std::string::npos;
            Found* const inside = dotted ? nullptr : found;
            if (key.field && inside != nullptr) (*inside)[*key.field] = &member.value;
            if (!key.begins) continue;
            if (key.field || is(member.value, Node::Kind::object, at, "an object"))
                look_for_fields(member.value, known->first + '.', at, keys, inside);
        }
    }

    /// What was stated; of a list that is read without elements, and of what is wrong, nothing.
    Elements set_at(Port& port, const Field& field, std::string_view key, const Node& node,
                    const Pointer& pointer) {
        const std::size_t dot = key.find('.');
        const Pointer at(pointer, key.substr(0, dot));
        if (dot == std::string_view::npos) return set(port, field, node, at);
        return set_at(port, field, key.substr(dot + 1), node, at);
    }

    Elements set(Port& port, const Field& field, const Node& node, const Pointer& pointer) {
        const std::size_t before = problems_.size();
        const Values values = observed_ ? Values::observed : Values::described;
        if (field.listed != nullptr && node.kind == Node::Kind::array) {
            read_listed(port, field, node, pointer, problems_, values);
            return {};
        }
        Elements elements = parse_elements(field.shape, node, pointer, problems_, values);
        if (problems_.size() > before) return {};
        field.set(port, elements);
        if (observed_) return elements;
        // Only some fields can hold nothing; in others it would be read as zero. A number may be
        // too large for where it is kept.
        const bool number =
            field.shape.kind == Shape::Kind::number || field.shape.kind == Shape::Kind::counter;
        if ((number || node.kind == Node::Kind::null) && field.get(port) != elements)
            problem(node, pointer, found(node) + ", expected " + admits(field.shape));
        return elements;
    }

    std::optional<Object> object_named(const std::string& name, const Place& place,
                                       const Pointer& pointer) {
        const std::optional<Object> object = find_object(name);
        if (!object)
            problems_.push_back({place, pointer.text(), "found unknown object " + in_quotes(name)});
        return object;
    }

    void read_refused(const Node& node, const Pointer& pointer, Port& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const Pointer at(pointer, member.name);
            const std::optional<Object> object = object_named(member.name, member.place, at);
            if (!object || !is(member.value, Node::Kind::object, at, "an object")) continue;
            const Node* code = member.value.find("code");
            const Node* text = member.value.find("text");
            const auto number = code == nullptr ? std::nullopt : errno_in(*code);
            if (!number || text == nullptr || text->kind != Node::Kind::text) {
                problem(member.value, at, "expected 'code', an errno, and 'text'");
                continue;
            }
            out.refused[*object] = {.code = *number, .text = text->text};
        }
    }

    [[nodiscard]] std::optional<int> errno_in(const Node& node) const {
        constexpr int max_errno = 4095;  // MAX_ERRNO, include/linux/err.h
        int code = 0;
        const char* const end = node.text.data() + node.text.size();
        const auto read = std::from_chars(node.text.data(), end, code);
        const bool whole =
            node.kind == Node::Kind::number && read.ec == std::errc() && read.ptr == end;
        if (!whole || (!observed_ && (code < 0 || code > max_errno))) return std::nullopt;
        return code;
    }

    void read_unknown(const Node& node, const Pointer& pointer, Port& out) {
        if (!is(node, Node::Kind::array, pointer, "a list of objects")) return;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& item = node.items[i];
            const Pointer at(pointer, i);
            if (!is(item, Node::Kind::text, at, "the name of an object")) continue;
            if (const auto object = object_named(item.text, item.place, at))
                out.unknown.insert(*object);
        }
    }

    void read_absent(const Node& node, const Pointer& pointer, Port& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const Pointer at(pointer, member.name);
            const std::optional<Object> object = object_named(member.name, member.place, at);
            if (!object || !is(member.value, Node::Kind::array, at, "a list of names")) continue;
            if (!observed_ && !row_of(*object).read.by_name)
                problem(member.value, at, "what there is of " + member.name + " is listed whole");
            for (std::size_t i = 0; i < member.value.items.size(); ++i)
                if (is(member.value.items[i], Node::Kind::text, Pointer(at, i), "a name"))
                    out.absent[*object].insert(member.value.items[i].text);
        }
    }

    Problems& problems_;
    bool observed_;  ///< Values::observed
    bool by_hand_;   ///< whoever wrote it, it came as a file
    Found found_{};  ///< of the port that is read, as what follows; the next takes their room
    std::vector<Single> singles_{};
    std::string name_{};  ///< that is looked for
};

}  // namespace

State read_state(const Node& node, Problems& problems, Values values) {
    return StateReader(problems, values).state(node);
}

State parse_state(std::string_view text, const std::string& file, Values values) {
    Problems problems;
    const Node root =
        parse_tree(text, file, problems, values == Values::observed ? Room::any : Room::by_length);
    State state;
    // After a syntax error there is nothing more to be said about the tree.
    if (root.kind != Node::Kind::null || problems.empty())
        state = StateReader(problems, values).state(root);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return state;
}

}  // namespace core
