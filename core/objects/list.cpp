// SPDX-License-Identifier: Apache-2.0
#include "core/model/object.hpp"

#include <algorithm>
#include <array>

#include "core/objects/rows.hpp"

namespace core {
namespace {

/// The table, in the order of the enumerators.
constexpr std::array<const ObjectRow*, kObjectCount> kObjects = {
#define CORE_ROW(name, ...) &name::row,
    CORE_OBJECTS(CORE_ROW, CORE_ROW, CORE_ROW)
#undef CORE_ROW
};

}  // namespace

std::span<const ObjectRow* const> objects() {
    return kObjects;
}

const ObjectRow& row_of(Object object) {
    return *kObjects.at(static_cast<std::size_t>(object));
}

std::optional<Object> find_object(std::string_view name) {
    const auto found =
        std::ranges::find(kObjects, name, [](const ObjectRow* row) { return row->name; });
    return found == kObjects.end() ? std::nullopt : std::optional((*found)->object);
}

std::optional<bool> opened(const Port& port, Object object) {
    const std::string_view needs = row_of(object).read.needs;
    if (needs.empty()) return std::nullopt;
    const std::optional<Value> open = element_of(port, *find_field(needs), "");
    return open ? std::optional(*open == Value(true)) : std::nullopt;
}

bool answers(const Port& port, Object object) {
    return std::ranges::any_of(fields(), [&](const Field& field) {
        return field.object == object && field.get(port).has_value();
    });
}

Uncertainty uncertainty_of(const Port& port, Object object) {
    const auto uncertainty = row_of(object).read.uncertainty;
    return uncertainty == nullptr ? Uncertainty::none : uncertainty(driver_of(port), port);
}

void mark_unread(Port& port) {
    for (const ObjectRow* row : objects())
        if (uncertainty_of(port, row->object) == Uncertainty::unread)
            port.unknown.insert(row->object);
}

bool is_of(const Cost& cost, Object object, const std::set<std::string_view>& keys) {
    return cost.object == object && (cost.key.empty() || keys.contains(cost.key));
}

Disruption disruption_of(const Port& port, Object object, const std::set<std::string_view>& keys,
                         const std::optional<Release>& kernel) {
    for (const Cost& cost : driver_of(port).costs) {
        const bool gone = kernel && cost.before != Release{} && *kernel >= cost.before;
        if (is_of(cost, object, keys) && !gone && (cost.holds == nullptr || cost.holds(port)))
            return cost.disruption;
    }
    // Taking the port down is what loses the link, on any driver.
    const ObjectRow& row = row_of(object);
    const auto names_one = [&keys](std::span<const std::string_view> some) {
        return std::ranges::any_of(
            some, [&](std::string_view key) { return key == "*" || keys.contains(key); });
    };
    if (port.link && port.link->up && names_one(row.order.takes_down)) return Disruption::link;
    if (!driver_of(port).costs_known && names_one(row.order.by_driver))
        return std::max(row.disruption, Disruption::unknown);
    return row.disruption;
}

std::vector<std::string> written_along(const State& state, const std::string& port, Object object,
                                       const std::set<std::string_view>& keys,
                                       const std::set<std::string>& elements) {
    const ObjectRow& row = row_of(object);
    if (row.names_ports) return {elements.begin(), elements.end()};
    if (row.of_members.empty() || !keys.contains(row.of_members)) return {};
    return link::members_of(state, port);
}

Disruption disruption_in(const State& state, const Port& port, Object object,
                         const std::set<std::string_view>& keys) {
    const std::optional<Release> kernel = release_of(state.host.kernel);
    Disruption most = disruption_of(port, object, keys, kernel);
    for (const std::string& name : written_along(state, port.name, object, keys))
        most = std::max(most, disruption_of(*find_port(state, name), object,
                                            {row_of(object).of_members}, kernel));
    return most;
}

Objects reach_of(const Driver& driver, Object object) {
    Objects reach = {object};
    const ObjectRow& row = row_of(object);
    reach.insert(row.order.touches.begin(), row.order.touches.end());
    if (!row.read.needs.empty()) reach.insert(object_of(row.read.needs));
    if (row.order.disturbs != nullptr) reach.merge(row.order.disturbs(driver));
    return reach;
}

Objects inventory() {
    Objects out;
    for (const ObjectRow* row : objects())
        if (row->read.inventory) out.insert(row->object);
    return out;
}

Objects objects_of(std::initializer_list<std::string_view> keys) {
    Objects out;
    for (const std::string_view key : keys)
        out.insert(object_of(key));
    return out;
}

}  // namespace core
