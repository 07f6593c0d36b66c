// SPDX-License-Identifier: Apache-2.0
#include "core/model/field.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "core/model/object.hpp"
#include "core/model/reading.hpp"

namespace core {
namespace {

std::vector<Field> all_fields() {
    std::vector<const ObjectRow*> rows(objects().begin(), objects().end());
    std::ranges::stable_sort(rows, {}, &ObjectRow::topic);
    std::size_t count = 0;
    for (const ObjectRow* row : rows)
        count += row->fields.size();
    std::vector<Field> all;
    all.reserve(count);
    for (const ObjectRow* row : rows)
        for (const Field& field : row->fields)
            all.emplace_back(field).object = row->object;
    return all;
}

}  // namespace

std::string_view key_in_place(const Field& field) {
    return field.key.starts_with(kHostKeys) ? field.key.substr(kHostKeys.size()) : field.key;
}

std::string_view word(Field::Use use) {
    switch (use) {
        case Field::Use::setting: return "setting";
        case Field::Use::fact: return "fact";
        case Field::Use::kept: return "kept";
    }
    return {};
}

std::span<const Field> fields() {
    static const std::vector<Field> all = all_fields();
    return all;
}

const Field* find_field(std::string_view key) {
    static const std::unordered_map<std::string_view, const Field*> all = [] {
        std::unordered_map<std::string_view, const Field*> by_key(fields().size());
        for (const Field& field : fields())
            by_key.emplace(field.key, &field);
        return by_key;
    }();
    const auto found = all.find(key);
    return found == all.end() ? nullptr : found->second;
}

Object object_of(std::string_view key) {
    const Field* field = find_field(key);
    if (field == nullptr) throw std::out_of_range("no field is called " + std::string(key));
    return field->object;
}

std::string element_name(const Field& field, std::string_view element) {
    std::string name(field.key);
    if (is_keyed(field.shape)) name += ' ' + std::string(element);
    return name;
}

bool made_by_kernel(const Reading& now, const Field& field, std::string_view element) {
    return now.made_by_kernel(field).contains(element);
}

bool made_by_daemon(const Reading& now, const Field& field, std::string_view element) {
    return now.made_by_daemon(field).contains(element);
}

std::optional<Value> element_of(const Reading& now, const Field& field, std::string_view element) {
    const Value* value = now.element(field, element);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

bool is_recorded(const Reading& now, const Field& field, std::string_view element) {
    if (!row_of(field.object).read.by_name || now.element(field, element) != nullptr) return true;
    const auto asked = now.port().absent.find(field.object);
    return asked != now.port().absent.end() && asked->second.contains(element);
}

void set_element(Port& port, const Field& field, std::string_view element,
                 const std::optional<Value>& value) {
    ElementWriter writer(port);
    writer.set(field, element, value);
    writer.done();
}

std::vector<std::string> differences(const Port& left, const Port& right) {
    std::vector<std::string> out;
    const auto own = [](const Port& port, const Field& field) {
        std::optional<Elements> elements = field.get(port);
        const auto by_kernel = row_of(field.object).chosen_by.kernel;
        if (!elements || elements->empty() || by_kernel == nullptr) return elements;
        const ElementNames made = by_kernel(port);
        std::erase_if(*elements, [&](const auto& element) { return made.contains(element.first); });
        return elements;
    };
    for (const Field& field : fields())
        if ((is_restored(field) || field.irreplaceable) && own(left, field) != own(right, field))
            out.emplace_back(field.key);
    return out;
}

}  // namespace core
