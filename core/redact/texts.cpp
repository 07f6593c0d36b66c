// SPDX-License-Identifier: Apache-2.0
#include "core/redact/texts.hpp"

#include <algorithm>

#include "core/model/object.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

TextOf text_of(const Shape& shape, bool one_value) {
    if (shape.names == Shape::Names::port) return TextOf::port;
    if (shape.names == Shape::Names::rdma_device) return TextOf::device;
    if (shape.text != Shape::Text::any && shape.text != Shape::Text::line) return TextOf::address;
    return one_value && shape.kind == Kind::text ? TextOf::one_value : TextOf::free;
}

class Writer {
public:
    explicit Writer(const OnText& other) : other_(other) {}

    Elements elements(const Shape& shape, const Elements& old) const {
        Elements out;
        for (const auto& [name, held] : old)
            out.emplace(key(shape, name), value(shape, held, !is_collection(shape)));
        return out;
    }

    Value value(const Shape& shape, const Value& held, bool one_value) const {
        if (shape.kind == Kind::word || shape.kind == Kind::words) return held;
        if (shape.of != nullptr) return value(*shape.of, held, false);
        if (const auto* record = std::get_if<Record>(&held)) return parts(shape, *record);
        if (const auto* words = std::get_if<Words>(&held)) {
            if (shape.kind == Kind::set) return held;
            Words out;
            for (const std::string& word : *words)
                out.push_back(other_(word, text_of(shape, one_value)));
            return out;
        }
        const auto* text = std::get_if<std::string>(&held);
        if (text == nullptr) return held;
        return other_(*text, text_of(shape, one_value));
    }

private:
    std::string key(const Shape& shape, const std::string& name) const {
        if (name.empty() || shape.kind == Kind::map || shape.closed) return name;
        return other_(name, TextOf::free);
    }

    Value parts(const Shape& shape, const Record& record) const {
        Record out;
        for (const auto& [name, held] : record) {
            const auto part = std::ranges::find(shape.parts, name, &RecordPart::name);
            const auto* text = std::get_if<std::string>(&held);
            const bool is_word = part != shape.parts.end() && part->shape.kind == Kind::word;
            if (text == nullptr || is_word)
                out.emplace(name, held);
            else
                out.emplace(name,
                            other_(*text, part == shape.parts.end() ? TextOf::free
                                                                    : text_of(part->shape, false)));
        }
        return out;
    }

    const OnText& other_;
};

Port with_texts(const Port& old, const OnText& other) {
    Port out = old;
    const Writer writer(other);
    if (old.name != kHost) out.name = other(old.name, TextOf::port);
    for (const Field& field : fields())
        if (const auto elements = field.get(old))
            field.set(out, writer.elements(field.shape, *elements));
    for (auto& [object, refusal] : out.refused)
        refusal.text = other(refusal.text, TextOf::free);
    for (auto& [object, names] : out.absent) {
        std::set<std::string, std::less<>> others;
        for (const std::string& name : names)
            others.insert(other(name, TextOf::free));
        names = std::move(others);
    }
    return out;
}

}  // namespace

State with_texts(const State& state, const OnText& other) {
    State out;
    out.host = state.host;
    out.host.name = other(state.host.name, TextOf::address);
    const Writer writer(other);
    for (const Port& port : state.ports)
        out.ports.push_back(with_texts(port, other));
    if (state.others) {
        out.others.emplace();
        for (const Port& port : *state.others)
            out.others->push_back(with_texts(port, other));
    }
    for (RefusedOptional refused_optional : state.refused_optional) {
        refused_optional.port = other(refused_optional.port, TextOf::port);
        refused_optional.element = other(refused_optional.element, TextOf::free);
        if (refused_optional.value && refused_optional.field != nullptr)
            refused_optional.value =
                writer.value(refused_optional.field->shape, *refused_optional.value, true);
        refused_optional.text = other(refused_optional.text, TextOf::free);
        out.refused_optional.push_back(std::move(refused_optional));
    }
    return out;
}

}  // namespace core
