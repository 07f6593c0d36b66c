// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/doctor/causes.hpp"
#include "core/json/json.hpp"
#include "core/model/object.hpp"
#include "core/model/reading.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

/// Whether the port tells anything of the object: else there is nothing to spell a change of.
bool is_told(const Port& port, const ObjectRow& row) {
    return std::ranges::any_of(row.fields,
                               [&](const Field& field) { return field.get(port).has_value(); });
}

}  // namespace

std::vector<std::string> mending_commands(const State& now, const Fault& fault) {
    std::vector<std::string> out;
    for (const Wish& wish : fault.mend) {
        const ObjectRow& row = row_of(wish.field->object);
        const Port* port =
            find_port(now, row.lives == Lives::host ? std::string(kHost) : wish.port);
        if (port == nullptr || row.spell == nullptr || !is_told(*port, row)) continue;
        Port then = *port;
        set_element(then, *wish.field, with_element(wish).element, wish.value);
        for (std::string& line : row.spell(driver_of(*port), *port, then))
            out.push_back(std::move(line));
    }
    return out;
}

std::string mending_key(const Fault& fault) {
    if (fault.mend.empty()) return {};
    const Wish& wish = fault.mend.front();
    nlohmann::ordered_json value = wish.value ? to_json(wish.field->shape, *wish.value) : Json();
    if (is_keyed(wish.field->shape))
        value = {{wish.element, value}};
    else if (is_collection(wish.field->shape))
        value = nlohmann::ordered_json::array({value});
    std::string key(wish.field->key);
    for (auto dot = key.rfind('.'); dot != std::string::npos; dot = key.rfind('.')) {
        value = {{key.substr(dot + 1), value}};
        key.resize(dot);
    }
    return '"' + key + "\": " + value.dump();
}

}  // namespace core
