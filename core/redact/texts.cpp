// SPDX-License-Identifier: Apache-2.0
#include "core/redact/texts.hpp"

#include <algorithm>
#include <span>

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

/// Takes the elements of a long list apart, and hands on each whose texts are others.
class ListWriter final : public Listing {
public:
    ListWriter(const Field& field, const OnText& other, Port* out)
        : field_(field), other_(other), out_(out) {}

    void text(std::string_view value) override {
        std::string other = other_(value, text_of(field_.shape, false));
        if (out_ != nullptr) add(Value(std::move(other)));
    }
    void open() override {
        record_ = {};
        part_ = 0;
    }
    void part(std::string_view name, std::string_view value) override {
        const RecordPart* part = part_called(name);
        if (part != nullptr && part->shape.kind == Kind::word) {
            if (out_ != nullptr) record_.emplace(name, std::string(value));
            return;
        }
        std::string other =
            other_(value, part == nullptr ? TextOf::free : text_of(part->shape, false));
        if (out_ != nullptr) record_.emplace(name, std::move(other));
    }
    void part(std::string_view name, std::uint64_t value) override {
        if (out_ != nullptr) record_.emplace(name, value);
    }
    void close() override {
        if (out_ != nullptr) add(Value(std::move(record_)));
    }

    /// Sorts what was added by its identities.
    void arrange() {
        if (names_.is_in_order()) return;
        field_.listed->arrange(*out_, added_, names_.order());
    }

private:
    void add(const Value& value) {
        name_.clear();
        field_.listed->add(*out_, value, name_);
        names_.add(name_);
        ++added_;
    }

    /// They come in the order of the table.
    const RecordPart* part_called(std::string_view name) {
        const std::span<const RecordPart> parts = field_.shape.parts;
        while (part_ < parts.size() && parts[part_].name != name)
            ++part_;
        return part_ < parts.size() ? &parts[part_] : nullptr;
    }

    const Field& field_;
    const OnText& other_;
    Port* out_;  ///< null: nothing is written
    Record record_{};
    std::size_t part_ = 0;
    NameOrder names_{};
    std::string name_{};
    std::size_t added_ = 0;
};

/// How many elements a long list has.
class Counted final : public Listing {
public:
    void text(std::string_view /*value*/) override { ++count; }
    void open() override { ++count; }
    void part(std::string_view /*name*/, std::string_view /*value*/) override {}
    void part(std::string_view /*name*/, std::uint64_t /*value*/) override {}
    void close() override {}

    std::size_t count = 0;
};

void rewrite(const Field& field, const Port& old, const OnText& other, Port& out) {
    if (!field.listed->is_there(old)) return;
    Counted counted;
    field.listed->tell(old, counted);
    field.listed->clear(out, counted.count);
    ListWriter writer(field, other, &out);
    field.listed->tell(old, writer);
    writer.arrange();
}

Port with_texts(const Port& old, const OnText& other) {
    Port out = old;
    const Writer writer(other);
    if (old.name != kHost) out.name = other(old.name, TextOf::port);
    for (const Field& field : fields()) {
        if (field.listed != nullptr)
            rewrite(field, old, other, out);
        else if (const auto elements = field.get(old))
            field.set(out, writer.elements(field.shape, *elements));
    }
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

void for_each_text(const Port& port, const OnText& seen) {
    const Writer reader(seen);
    if (port.name != kHost) seen(port.name, TextOf::port);
    for (const Field& field : fields()) {
        if (field.listed != nullptr) {
            ListWriter lister(field, seen, nullptr);
            if (field.listed->is_there(port)) field.listed->tell(port, lister);
        } else if (const auto elements = field.get(port)) {
            static_cast<void>(reader.elements(field.shape, *elements));
        }
    }
    for (const auto& [object, refusal] : port.refused)
        seen(refusal.text, TextOf::free);
    for (const auto& [object, names] : port.absent)
        for (const std::string& name : names)
            seen(name, TextOf::free);
}

}  // namespace

void for_each_text(const State& state, const std::function<void(std::string_view, TextOf)>& seen) {
    const OnText same = [&seen](std::string_view text, TextOf of) {
        seen(text, of);
        return std::string(text);
    };
    seen(state.host.name, TextOf::address);
    seen(state.host.kernel, TextOf::one_value);
    for (const Port& port : state.ports)
        for_each_text(port, same);
    if (state.others)
        for (const Port& port : *state.others)
            for_each_text(port, same);
    const Writer reader(same);
    for (const RefusedOptional& refused : state.refused_optional) {
        seen(refused.port, TextOf::port);
        seen(refused.element, TextOf::free);
        if (refused.value && refused.field != nullptr)
            static_cast<void>(reader.value(refused.field->shape, *refused.value, true));
        seen(refused.text, TextOf::free);
    }
}

State with_texts(const State& state, const OnText& other) {
    State out;
    out.host = state.host;
    out.host.name = other(state.host.name, TextOf::address);
    out.host.kernel = other(state.host.kernel, TextOf::one_value);
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
