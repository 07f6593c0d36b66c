// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/json/json.hpp"
#include "core/json/nested.hpp"
#include "core/json/plan_reader.hpp"
#include "core/model/object.hpp"

namespace core {
namespace {

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

}  // namespace

Json& nested(Json& object, std::string_view key) {
    const std::size_t dot = key.find('.');
    Json& inner = object[std::string(key.substr(0, dot))];
    return dot == std::string_view::npos ? inner : nested(inner, key.substr(dot + 1));
}

Json to_json(const State& state) {
    Json out = {{"host", {{"name", state.host.name}, {"kernel", state.host.kernel}}},
                {"ports", Json::array()}};
    if (state.host.time != 0) out["host"]["time"] = state.host.time;
    for (const Port& port : state.ports) {
        if (port.name != kHost) {
            out["ports"].push_back(port_json(port));
            continue;
        }
        Json whole = port_json(port);
        for (auto& [key, value] : whole.items())
            if (key != "name") out["host"][key] = std::move(value);
    }
    for (const RefusedOptional& one : state.refused_optional)
        out["declined"].push_back(to_json(one));
    return out;
}

}  // namespace core
