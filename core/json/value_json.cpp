// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

Json to_json(const Scalar& scalar) {
    return std::visit([](const auto& value) { return Json(value); }, scalar);
}

/// Parts in the order of the table, not of the alphabet.
Json record_json(const Shape& shape, const Record& record) {
    Json out = Json::object();
    out.get_ref<Json::object_t&>().reserve(record.size());
    for (const RecordPart& part : shape.parts)
        if (const auto found = record.find(part.name); found != record.end())
            out[std::string(part.name)] = to_json(found->second);
    return out;
}

}  // namespace

Json to_json(const Shape& shape, const Value& value) {
    if (const auto* record = std::get_if<Record>(&value)) return record_json(shape, *record);
    return std::visit(
        [](const auto& held) {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Record>) {
                return Json();
            } else {
                return Json(held);
            }
        },
        value);
}

Json to_json(const Shape& shape, const Elements& elements) {
    if (is_keyed(shape)) {
        Json out = Json::object();
        for (const auto& [element, value] : elements)
            out[element] = to_json(shape, value);
        return out;
    }
    if (shape.kind == Kind::items) {
        Json out = Json::array();
        out.get_ref<Json::array_t&>().reserve(elements.size());
        for (const auto& [element, value] : elements)
            out.push_back(to_json(shape, value));
        return out;
    }
    return elements.empty() ? Json() : to_json(shape, elements.begin()->second);
}

}  // namespace core
