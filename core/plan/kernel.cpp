// SPDX-License-Identifier: Apache-2.0
#include "core/plan/kernel.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/model/glob.hpp"
#include "core/model/object.hpp"
#include "core/plan/contradictions.hpp"

namespace core {
namespace {

void add(Objects& objects, const Driver& driver, Object object) {
    const Objects reach = reach_of(driver, object);
    objects.insert(reach.begin(), reach.end());
    for (const Object reached : reach) {
        const auto consults = row_of(reached).order.consults;
        objects.insert(consults.begin(), consults.end());
    }
}

/// Elements that are desired to be present, for desired values that need an element of another
/// object (ObjectRow::lifecycle.rests_on).
class DesiredThere {
public:
    explicit DesiredThere(const std::vector<Desired>& desired_values)
        : desired_values_(desired_values) {}

    bool has(const std::string& port, Object object, const std::string& element) {
        const auto [known, fresh] = elements_.try_emplace(object);
        if (fresh)
            for (const Desired& desired : desired_values_)
                if (desired.field->object == object && desired.value)
                    known->second.emplace(desired.port,
                                          identity(desired.field->shape, *desired.value));
        return known->second.contains({port, element});
    }

private:
    const std::vector<Desired>& desired_values_;
    std::map<Object, std::set<std::pair<std::string, std::string>>> elements_{};
};

/// If any of the objects creates ports, adds all that do and those with presets: a name that is
/// still free is only known with all of them.
void add_makers(Objects& objects) {
    const auto makes = [](const ObjectRow* row) { return row->lifecycle.unmade != nullptr; };
    if (std::ranges::none_of(objects, [&](Object object) { return makes(&row_of(object)); }))
        return;
    for (const ObjectRow* row : core::objects())
        if (makes(row) || row->lifecycle.preset != nullptr) objects.insert(row->object);
}

/// The object to read on every port to judge the desired value: one that it needs an element of.
/// Nothing where the same port is desired to have that element.
std::optional<Object> asked_of_others(DesiredThere& wanted, const Desired& desired) {
    const auto rests_on = row_of(desired.field->object).lifecycle.rests_on;
    if (rests_on == nullptr || !desired.value) return std::nullopt;
    const auto other = rests_on(*desired.value);
    if (!other || wanted.has(desired.port, other->first, other->second)) return std::nullopt;
    return other->first;
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
    for (const ObjectRow* row : objects())
        if (row->lifecycle.unmade != nullptr) row->lifecycle.unmade(port);
    return port;
}

bool is_not_there(const Port& port) {
    if (port.link) return false;
    const Port none(port.name);
    Port bare = port;
    for (const ObjectRow* row : objects())
        if (row->lifecycle.preset != nullptr) copy_part(row->object, none, bare);
    return bare == not_there(port.name);
}

std::vector<std::string> missing_children(const Scope& scope, const State& found) {
    std::vector<std::string> out;
    if (!scope.ports || std::ranges::none_of(scope.objects, [](Object object) {
            return row_of(object).lifecycle.unmade != nullptr;
        }))
        return out;
    for (const std::string& name : *scope.ports)
        if (!is_glob(name) && name != kHost && find_port(found, name) == nullptr)
            out.push_back(name);
    return out;
}

void add_element(Scope& scope, Object object, const std::string& element) {
    const ObjectRow& row = row_of(object);
    if (row.lives != Lives::host) return;
    scope.elements[object].insert(element);
    if (row.lifecycle.resets == nullptr) return;
    for (std::string& other : row.lifecycle.resets(element))
        scope.elements[object].insert(std::move(other));
}

void erase_on_demand(Objects& objects) {
    std::erase_if(objects, [](Object object) { return row_of(object).read.on_demand; });
}

void add_parts(State& state, State more, const Objects& objects) {
    if (state.ports.empty()) state.ports.reserve(more.ports.size());
    for (Port& from : more.ports) {
        Port* const to = find_port(state, from.name);
        if (to == nullptr) {
            state.ports.push_back(std::move(from));
            continue;
        }
        for (const Object object : objects) {
            copy_part(object, from, *to);
            if (from.unknown.contains(object)) to->unknown.insert(object);
        }
        to->refused.merge(from.refused);
        to->absent.merge(from.absent);
        // Uncertainty depends on the whole port, so it is computed again from all parts.
        std::erase_if(to->unknown, [&](Object object) {
            return row_of(object).read.uncertainty != nullptr && answers(*to, object);
        });
        mark_unread(*to);
    }
}

Objects examined(const DesiredState& desired_values) {
    Objects stated;
    for (const Desired& desired : desired_values.desired_values)
        stated.insert(desired.field->object);
    for (const Exact& exact : desired_values.exact)
        stated.insert(exact.field->object);
    Objects out = inventory();
    for (const Object object : stated) {
        const ObjectRow& row = row_of(object);
        out.insert(object);
        out.insert(row.order.consults.begin(), row.order.consults.end());
        if (!row.read.needs.empty()) out.insert(object_of(row.read.needs));
        if (row.lifecycle.unmade == nullptr) continue;
        // A missing port is reported together with the values it will be created with.
        for (const ObjectRow* other : objects())
            if (other->lifecycle.preset != nullptr) out.insert(other->object);
    }
    out.merge(examined_beside(desired_values));
    add_makers(out);
    erase_on_demand(out);
    return out;
}

std::set<std::string> carried_by(const Step& step, const State& links) {
    std::set<std::string> out;
    const auto carries = row_of(step.object).lifecycle.carries;
    if (carries == nullptr) return out;
    std::vector<std::string> next = carries(links, step.port);
    while (!next.empty()) {
        const std::string name = std::move(next.back());
        next.pop_back();
        if (out.insert(name).second)
            std::ranges::move(carries(links, name), std::back_inserter(next));
    }
    return out;
}

std::vector<std::string> carried_along(const Plan& plan, const State& links) {
    std::set<std::string> out;
    for (const Step& step : plan.steps)
        out.merge(carried_by(step, links));
    std::erase_if(out, [&](const auto& name) { return find_port(plan.before, name) != nullptr; });
    return {out.begin(), out.end()};
}

std::string port_in(const Field& field, const std::string& element) {
    const auto in = row_of(field.object).lifecycle.port_in;
    return in == nullptr ? std::string() : in(element).value_or("");
}

std::vector<std::string> ports_in_elements(const Plan& plan) {
    std::set<std::string> out;
    for (const Step& step : plan.steps)
        for (const Change& change : step.changes)
            out.insert(port_in(*change.field, change.element));
    std::erase_if(out, [&](const std::string& name) {
        return name.empty() || find_port(plan.before, name) != nullptr;
    });
    return {out.begin(), out.end()};
}

Scope scope_of(const DesiredState& desired_values, const State& inventory) {
    Scope scope{.ports = desired_values.ports, .objects = core::inventory()};
    const auto driver_at = [&](const std::string& name) -> const Driver& {
        const Port* port = find_port(inventory, name);
        return port == nullptr ? *drivers().back() : driver_of(*port);
    };
    DesiredThere wanted(desired_values.desired_values);
    std::set<std::pair<const Driver*, Object>> added;
    for (const Desired& desired : desired_values.desired_values) {
        const Driver& driver = driver_at(desired.port);
        if (added.emplace(&driver, desired.field->object).second)
            add(scope.objects, driver, desired.field->object);
        add_element(scope, desired.field->object, desired.element);
        for (const std::string& name : written_along(inventory, desired.port, desired.field->object,
                                                     {desired.field->key}, {desired.element})) {
            if (std::ranges::find(*scope.ports, name) == scope.ports->end())
                scope.ports->push_back(name);
            add(scope.objects, driver_at(name), desired.field->object);
        }
        if (const auto other = asked_of_others(wanted, desired)) scope.everywhere.insert(*other);
    }
    for (const Exact& exact : desired_values.exact)
        add(scope.objects, driver_at(exact.port), exact.field->object);
    scope.objects.merge(examined_beside(desired_values));
    add_makers(scope.objects);
    erase_on_demand(scope.objects);
    return scope;
}

namespace {

void add_found(const Port& found, Object object, Port& host) {
    for (const Field& field : fields()) {
        if (field.object != object) continue;
        for (const auto& [element, value] : field.get(found).value_or(Elements{}))
            set_element(host, field, element, value);
    }
    if (const auto absent = found.absent.find(object); absent != found.absent.end())
        host.absent[object].insert(absent->second.begin(), absent->second.end());
}

void ask(Kernel& kernel, Object object, const std::set<std::string>& names, Port& host) {
    const State state = kernel.read({.ports = std::vector{std::string(kHost)},
                                     .objects = {object},
                                     .elements = {{object, names}}});
    const Port* found = find_port(state, kHost);
    if (found == nullptr) return;
    if (!found->refused.contains(object)) {
        add_found(*found, object, host);
    } else if (names.size() > 1) {
        for (const std::string& name : names)
            ask(kernel, object, {name}, host);
    }
}

}  // namespace

void add_asked(Kernel& kernel, const AskedNames& named, State& state) {
    Port* host = find_port(state, kHost);
    if (host == nullptr) return;
    for (const auto& [object, names] : named)
        if (!host->refused.contains(object)) ask(kernel, object, names, *host);
}

}  // namespace core
