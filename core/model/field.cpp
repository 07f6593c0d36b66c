// SPDX-License-Identifier: Apache-2.0
#include "core/model/field.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "core/model/object.hpp"

namespace core {
namespace {

std::vector<Field> all_fields() {
    std::vector<Field> all;
    for (const ObjectRow* row : objects())
        for (Field field : row->fields) {
            field.object = row->object;
            all.push_back(field);
        }
    std::ranges::stable_sort(all, {},
                             [](const Field& field) { return row_of(field.object).topic; });
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
        std::unordered_map<std::string_view, const Field*> by_key;
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

bool made_by_kernel(const Port& port, const Field& field, std::string_view element) {
    const auto by_kernel = row_of(field.object).by_kernel;
    return by_kernel != nullptr && by_kernel(port, element);
}

std::optional<Value> element_of(const Port& port, const Field& field, std::string_view element) {
    const std::optional<Elements> elements = field.get(port);
    if (!elements) return std::nullopt;
    const auto found = elements->find(element);
    return found == elements->end() ? std::nullopt : std::optional(found->second);
}

bool is_recorded(const Port& port, const Field& field, std::string_view element) {
    if (!row_of(field.object).by_name || element_of(port, field, element)) return true;
    const auto asked = port.absent.find(field.object);
    return asked != port.absent.end() && asked->second.contains(element);
}

void set_element(Port& port, const Field& field, std::string_view element,
                 const std::optional<Value>& value) {
    Elements elements = field.get(port).value_or(Elements{});
    if (value) {
        elements.insert_or_assign(std::string(element), *value);
    } else if (const auto found = elements.find(element); found != elements.end()) {
        elements.erase(found);
    }
    field.set(port, elements);
}

std::vector<std::string> differences(const Port& left, const Port& right) {
    std::vector<std::string> out;
    const auto own = [](const Port& port, const Field& field) {
        std::optional<Elements> elements = field.get(port);
        if (elements)
            std::erase_if(*elements, [&](const auto& element) {
                return made_by_kernel(port, field, element.first);
            });
        return elements;
    };
    for (const Field& field : fields())
        if ((is_restored(field) || field.irreplaceable) && own(left, field) != own(right, field))
            out.emplace_back(field.key);
    return out;
}

}  // namespace core
