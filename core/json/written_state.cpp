// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/json/plan_reader.hpp"
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

class StateText {
public:
    explicit StateText(int indent, TextSink full = {}) : text_(indent, std::move(full)) {}

    /// What the sink has not been given.
    std::string whole(const State& state, const Json& head) {
        text_.begin('{');
        for (const auto& [name, value] : head.items()) {
            text_.key(name);
            text_.put(value);
        }
        text_.key("host");
        host(state);
        text_.key("ports");
        text_.begin('[');
        for (const Port& port : state.ports)
            if (port.name != kHost) this->port(port);
        text_.end(']');
        if (!state.refused_optional.empty()) {
            text_.key("declined");
            text_.begin('[');
            for (const RefusedOptional& one : state.refused_optional)
                text_.put(to_json(one));
            text_.end(']');
        }
        text_.end('}');
        return text_.take();
    }

private:
    void host(const State& state) {
        text_.begin('{');
        text_.part("name", state.host.name);
        text_.part("kernel", state.host.kernel);
        if (state.host.time != 0) text_.part("time", state.host.time);
        for (const Port& port : state.ports)
            if (port.name == kHost) contents(port);
        text_.end('}');
    }

    void port(const Port& port) {
        text_.begin('{');
        text_.part("name", port.name);
        contents(port);
        text_.end('}');
    }

    void contents(const Port& port) {
        members(shown(port), port);
        if (!port.refused.empty()) refused(port);
        if (!port.unknown.empty()) {
            text_.key("unknown");
            text_.begin('[');
            for (const Object object : port.unknown)
                text_.put(row_of(object).name);
            text_.end(']');
        }
        if (!port.absent.empty()) absent(port);
    }

    void refused(const Port& port) {
        text_.key("refused");
        text_.begin('{');
        for (const auto& [object, refusal] : port.refused) {
            text_.key(row_of(object).name);
            text_.begin('{');
            text_.key("code");
            text_.put(Json(refusal.code));
            text_.part("text", refusal.text);
            text_.end('}');
        }
        text_.end('}');
    }

    void absent(const Port& port) {
        text_.key("absent");
        text_.begin('{');
        for (const auto& [object, names] : port.absent) {
            text_.key(row_of(object).name);
            text_.begin('[');
            for (const std::string& name : names)
                text_.put(std::string_view(name));
            text_.end(']');
        }
        text_.end('}');
    }

    /// What keys with dots have in common is one object, where its first member is.
    void members(std::vector<Shown> left, const Port& port) {
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (left[i].field == nullptr) continue;
            const std::size_t dot = left[i].key.find('.');
            const std::string_view name = left[i].key.substr(0, dot);
            text_.key(name);
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
            text_.begin('{');
            members(std::move(inside), port);
            text_.end('}');
        }
    }

    void value(const Shown& one, const Port& port) {
        const Field& field = *one.field;
        if (one.elements) return text_.put(field.shape, *one.elements);
        text_.begin('[');
        field.listed->tell(port, text_);
        text_.end(']');
    }

    JsonText text_;
};

}  // namespace

std::string written(const State& state, const Json& head, int indent) {
    return StateText(indent).whole(state, head);
}

void write_state(const State& state, const Json& head, int indent, const TextSink& sink) {
    sink(StateText(indent, sink).whole(state, head));
}

std::string written(const State& state) {
    return written(state, Json::object(), -1);
}

}  // namespace core
