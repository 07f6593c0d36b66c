// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/json/plan_json.hpp"
#include "core/model/object.hpp"

namespace core {
namespace {

/// A field of which there is a value.
struct Shown {
    const Field* field = nullptr;
    std::string_view key{};              ///< what is left of it inside the object that is written
    std::optional<Elements> elements{};  ///< nothing of a list that tells itself
};

std::vector<Shown> shown(const Port& port) {
    std::vector<Shown> out;
    for (const Field& field : fields()) {
        if (field.listed != nullptr) {
            if (field.listed->is_there(port)) out.push_back({&field, key_in_place(field)});
        } else if (auto elements = field.get(port)) {
            out.push_back({&field, key_in_place(field), std::move(elements)});
        }
    }
    return out;
}

/// Makes a tree of what JsonText would write.
class JsonTree : public Listing {
public:
    void begin(char bracket) {
        Json& made = place();
        made = bracket == '{' ? Json::object() : Json::array();
        open_.push_back(&made);
    }
    void end(char /*bracket*/) { open_.pop_back(); }
    void key(std::string_view name) { key_ = name; }
    template <typename Value>
    void put(const Value& value) {
        place() = value;
    }

    void text(std::string_view value) override { put(value); }
    void open() override { begin('{'); }
    void part(std::string_view name, std::string_view value) override { member(name, value); }
    void part(std::string_view name, std::uint64_t value) override { member(name, value); }
    void close() override { end('}'); }

    Json take() { return std::move(root_); }

private:
    template <typename Value>
    void member(std::string_view name, const Value& value) {
        key(name);
        put(value);
    }
    Json& place() {
        if (open_.empty()) return root_;
        Json& in = *open_.back();
        return in.is_object() ? in[key_] : in.emplace_back();
    }

    Json root_;
    std::vector<Json*> open_;  ///< which stay where they are until they are ended
    std::string key_;
};

/// Gives a state to JsonText or JsonTree.
template <typename Out>
class StateWriter {
public:
    explicit StateWriter(Out& out) : out_(out) {}

    void whole(const State& state, const Json& head) {
        out_.begin('{');
        for (const auto& [name, value] : head.items()) {
            out_.key(name);
            out_.put(value);
        }
        out_.key("host");
        host(state);
        out_.key("ports");
        out_.begin('[');
        for (const Port& port : state.ports)
            if (port.name != kHost) this->port(port);
        out_.end(']');
        if_any("declined", list_json(state.refused_optional));
        out_.end('}');
    }

private:
    void host(const State& state) {
        out_.begin('{');
        out_.part("name", state.host.name);
        out_.part("kernel", state.host.kernel);
        if (state.host.time != 0) out_.part("time", state.host.time);
        for (const Port& port : state.ports)
            if (port.name == kHost) contents(port);
        out_.end('}');
    }

    void port(const Port& port) {
        out_.begin('{');
        out_.part("name", port.name);
        contents(port);
        out_.end('}');
    }

    void contents(const Port& port) {
        members(shown(port), port);
        Json refused = Json::object();
        Json unknown = Json::array();
        Json absent = Json::object();
        for (const auto& [object, refusal] : port.refused)
            refused[std::string(row_of(object).name)] = {{"code", refusal.code},
                                                         {"text", refusal.text}};
        for (const Object object : port.unknown)
            unknown.push_back(row_of(object).name);
        for (const auto& [object, names] : port.absent)
            absent[std::string(row_of(object).name)] = names;
        if_any("refused", refused);
        if_any("unknown", unknown);
        if_any("absent", absent);
    }

    void if_any(std::string_view name, const Json& values) {
        if (values.empty()) return;
        out_.key(name);
        out_.put(values);
    }

    /// What keys with dots have in common is one object, where its first member is.
    void members(std::vector<Shown> left, const Port& port) {
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (left[i].field == nullptr) continue;
            const std::size_t dot = left[i].key.find('.');
            const std::string_view name = left[i].key.substr(0, dot);
            out_.key(name);
            if (dot == std::string_view::npos) {
                value(left[i], port);
                continue;
            }
            std::vector<Shown> inside;
            for (std::size_t other = i; other < left.size(); ++other) {
                Shown& one = left[other];
                const bool within = one.field != nullptr && one.key.size() > dot &&
                                    one.key[dot] == '.' && one.key.starts_with(name);
                if (!within) continue;
                inside.push_back({one.field, one.key.substr(dot + 1), std::move(one.elements)});
                one.field = nullptr;
            }
            out_.begin('{');
            members(std::move(inside), port);
            out_.end('}');
        }
    }

    void value(const Shown& one, const Port& port) {
        const Field& field = *one.field;
        if (one.elements) return out_.put(to_json(field.shape, *one.elements));
        out_.begin('[');
        field.listed->tell(port, out_);
        out_.end(']');
    }

    Out& out_;
};

}  // namespace

Json to_json(const State& state) {
    JsonTree tree;
    StateWriter(tree).whole(state, Json::object());
    return tree.take();
}

std::string written(const State& state, const Json& head, int indent) {
    JsonText text(indent);
    StateWriter(text).whole(state, head);
    return text.take();
}

void write_state(const State& state, const Json& head, int indent, const TextSink& sink) {
    JsonText text(indent, sink);
    StateWriter(text).whole(state, head);
    sink(text.take());
}

std::string written(const State& state) {
    return written(state, Json::object(), -1);
}

}  // namespace core
