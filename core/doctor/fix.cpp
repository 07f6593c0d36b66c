// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/doctor/diagnosis.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/model/object.hpp"
#include "core/model/reading.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

/// Whether the port has a value of the object; without one, no command can be spelled.
bool is_reported(const Port& port, const ObjectRow& row) {
    return std::ranges::any_of(row.fields,
                               [&](const Field& field) { return field.get(port).has_value(); });
}

/// What is written by one step: the desired values for an object of a port.
struct Written {
    const ObjectRow* row = nullptr;
    const Port* port = nullptr;
    std::vector<const Desired*> desired_values{};
};

std::vector<Written> written(const State& now, std::span<const Desired> fix) {
    std::vector<Written> out;
    for (const Desired& desired : fix) {
        const ObjectRow& row = row_of(desired.field->object);
        const Port* port =
            find_port(now, row.lives == Lives::host ? std::string(kHost) : desired.port);
        if (port == nullptr || row.words.spell == nullptr || !is_reported(*port, row)) continue;
        const auto known = std::ranges::find_if(
            out, [&](const Written& one) { return one.row == &row && one.port == port; });
        if (known == out.end())
            out.push_back({.row = &row, .port = port, .desired_values = {&desired}});
        else
            known->desired_values.push_back(&desired);
    }
    return out;
}

/// The value as a profile states it, without the object that its key begins with.
nlohmann::ordered_json stated(const Desired& desired) {
    nlohmann::ordered_json value =
        desired.value ? to_json(desired.field->shape, *desired.value) : Json();
    if (is_keyed(desired.field->shape)) return {{desired.element, value}};
    if (is_collection(desired.field->shape)) return nlohmann::ordered_json::array({value});
    return value;
}

}  // namespace

std::vector<std::string> fixing_commands(const State& now, std::span<const Desired> fix) {
    std::vector<std::string> out;
    for (const Written& one : written(now, fix)) {
        Port then = *one.port;
        for (const Desired* desired : one.desired_values)
            set_element(then, *desired->field, with_element(*desired).element, desired->value);
        for (std::string& line : one.row->words.spell(driver_of(*one.port), *one.port, then))
            out.push_back(std::move(line));
    }
    return out;
}

std::vector<std::string> fixing_commands(const State& now, const Fault& fault) {
    if (!fault.command.empty()) return {fault.command};
    return fixing_commands(now, fault.fix);
}

Disruption fixing_cost(const State& now, const Fault& fault) {
    Disruption most = Disruption::none;
    for (const Written& one : written(now, fault.fix)) {
        std::set<std::string_view> keys;
        for (const Desired* desired : one.desired_values)
            keys.insert(desired->field->key);
        most = std::max(most, disruption_in(now, *one.port, one.row->object, keys));
    }
    return most;
}

std::string fixing_key(const Fault& fault) {
    if (fault.fix.empty()) return {};
    nlohmann::ordered_json all;
    for (const Desired& desired : fault.fix) {
        nlohmann::ordered_json value = stated(desired);
        std::string key(desired.field->key);
        for (auto dot = key.rfind('.'); dot != std::string::npos; dot = key.rfind('.')) {
            value = {{key.substr(dot + 1), value}};
            key.resize(dot);
        }
        if (!all.contains(key) || !value.is_object())
            all[key] = value;
        else
            all[key].update(value, true);
    }
    const std::string text = written(all);
    const std::string key = all.begin().key();
    // As a member of an entry, without the braces around it.
    return all.size() > 1 ? text.substr(1, text.size() - 2)
                          : written(Json(key)) + ": " + written(*all.begin());
}

}  // namespace core
