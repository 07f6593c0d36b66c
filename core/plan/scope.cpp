// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/model/glob.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/contradictions.hpp"

namespace core {
namespace {

void add(Objects& objects, const Driver& driver, Object object) {
    const Objects reach = reach_of(driver, object);
    objects.insert(reach.begin(), reach.end());
    for (const Object reached : reach) {
        const auto consults = row_of(reached).consults;
        objects.insert(consults.begin(), consults.end());
    }
}

/// What has to be known of every port to say whether the wish can be had: nothing where the same
/// port is wished to have what it rests on.
std::optional<Object> asked_of_others(const Wishes& wishes, const Wish& wish) {
    const auto rests_on = row_of(wish.field->object).rests_on;
    if (rests_on == nullptr || !wish.value) return std::nullopt;
    const auto other = rests_on(*wish.value);
    if (!other) return std::nullopt;
    const bool wished = std::ranges::any_of(wishes.wishes, [&](const Wish& one) {
        return one.port == wish.port && one.field->object == other->first && one.value &&
               identity(one.field->shape, *one.value) == other->second;
    });
    return wished ? std::nullopt : std::optional(other->first);
}

}  // namespace

bool asks_for_host(const Scope& scope) {
    const bool named = !scope.ports || std::ranges::find(*scope.ports, kHost) != scope.ports->end();
    return named && std::ranges::any_of(scope.objects, [](Object object) {
               return row_of(object).lives == Lives::host;
           });
}

Port not_there(const std::string& name) {
    Port port(name);
    port.vlan.emplace();
    return port;
}

bool is_not_there(const Port& port) {
    Port bare = port;
    bare.ipv4.reset();
    bare.ipv6.reset();
    return port.vlan && bare == not_there(port.name);
}

std::vector<std::string> missing_children(const Scope& scope, const State& found) {
    std::vector<std::string> out;
    if (!scope.ports || std::ranges::none_of(
                            scope.objects, [](Object object) { return row_of(object).makes_port; }))
        return out;
    for (const std::string& name : *scope.ports)
        if (!is_glob(name) && name != kHost && find_port(found, name) == nullptr)
            out.push_back(name);
    return out;
}

void add_element(Scope& scope, Object object, const std::string& element) {
    if (row_of(object).lives == Lives::host) scope.elements[object].insert(element);
}

void erase_on_demand(Objects& objects) {
    std::erase_if(objects, [](Object object) { return row_of(object).on_demand; });
}

Scope scope_of(const Wishes& wishes, const State& inventory) {
    Scope scope{.ports = wishes.ports, .objects = core::inventory()};
    const auto driver_at = [&](const std::string& name) -> const Driver& {
        const Port* port = find_port(inventory, name);
        return port == nullptr ? *drivers().back() : driver_of(*port);
    };
    for (const Wish& wish : wishes.wishes) {
        add(scope.objects, driver_at(wish.port), wish.field->object);
        add_element(scope, wish.field->object, wish.element);
        for (const std::string& name :
             written_along(inventory, wish.port, wish.field->object, {wish.field->key})) {
            if (std::ranges::find(*scope.ports, name) == scope.ports->end())
                scope.ports->push_back(name);
            add(scope.objects, driver_at(name), wish.field->object);
        }
        if (const auto other = asked_of_others(wishes, wish)) scope.everywhere.insert(*other);
    }
    for (const Exact& exact : wishes.exact)
        add(scope.objects, driver_at(exact.port), exact.field->object);
    scope.objects.merge(looked_at_beside(wishes));
    erase_on_demand(scope.objects);
    return scope;
}

}  // namespace core
