// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

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

/// Elements that are wished to be there, of objects that others may rest on.
class WishedThere {
public:
    explicit WishedThere(const std::vector<Wish>& wishes) : wishes_(wishes) {}

    bool has(const std::string& port, Object object, const std::string& element) {
        const auto [known, fresh] = elements_.try_emplace(object);
        if (fresh)
            for (const Wish& wish : wishes_)
                if (wish.field->object == object && wish.value)
                    known->second.emplace(wish.port, identity(wish.field->shape, *wish.value));
        return known->second.contains({port, element});
    }

private:
    const std::vector<Wish>& wishes_;
    std::map<Object, std::set<std::pair<std::string, std::string>>> elements_{};
};

/// What a name that is free may become is known as a whole, with what the kernel gives new ports,
/// or nothing of it is.
void add_makers(Objects& objects) {
    const auto makes = [](const ObjectRow* row) { return row->unmade != nullptr; };
    if (std::ranges::none_of(objects, [&](Object object) { return makes(&row_of(object)); }))
        return;
    for (const ObjectRow* row : core::objects())
        if (makes(row) || row->preset != nullptr) objects.insert(row->object);
}

/// What has to be known of every port to say whether the wish can be had: nothing where the same
/// port is wished to have what it rests on.
std::optional<Object> asked_of_others(WishedThere& wanted, const Wish& wish) {
    const auto rests_on = row_of(wish.field->object).rests_on;
    if (rests_on == nullptr || !wish.value) return std::nullopt;
    const auto other = rests_on(*wish.value);
    if (!other || wanted.has(wish.port, other->first, other->second)) return std::nullopt;
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
        if (row->unmade != nullptr) row->unmade(port);
    return port;
}

bool is_not_there(const Port& port) {
    if (port.link) return false;
    const Port none(port.name);
    Port bare = port;
    for (const ObjectRow* row : objects())
        if (row->preset != nullptr) copy_part(row->object, none, bare);
    return bare == not_there(port.name);
}

std::vector<std::string> missing_children(const Scope& scope, const State& found) {
    std::vector<std::string> out;
    if (!scope.ports || std::ranges::none_of(scope.objects, [](Object object) {
            return row_of(object).unmade != nullptr;
        }))
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
        // Whether a port may hold something else than it says is seen from all of it.
        std::erase_if(to->unknown, [](Object object) { return row_of(object).doubt != nullptr; });
        mark_unread(*to);
    }
}

Objects looked_at(const Wishes& wishes) {
    Objects wished;
    for (const Wish& wish : wishes.wishes)
        wished.insert(wish.field->object);
    for (const Exact& exact : wishes.exact)
        wished.insert(exact.field->object);
    Objects out = inventory();
    for (const Object object : wished) {
        const ObjectRow& row = row_of(object);
        out.insert(object);
        out.insert(row.consults.begin(), row.consults.end());
        if (!row.needs.empty()) out.insert(object_of(row.needs));
        if (row.unmade == nullptr) continue;
        // What a port that is not there yet will have is told with the news that it is not.
        for (const ObjectRow* other : objects())
            if (other->preset != nullptr) out.insert(other->object);
    }
    out.merge(looked_at_beside(wishes));
    add_makers(out);
    erase_on_demand(out);
    return out;
}

std::set<std::string> carried_by(const Step& step, const State& links) {
    std::set<std::string> out;
    const auto carries = row_of(step.object).carries;
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

Scope scope_of(const Wishes& wishes, const State& inventory) {
    Scope scope{.ports = wishes.ports, .objects = core::inventory()};
    const auto driver_at = [&](const std::string& name) -> const Driver& {
        const Port* port = find_port(inventory, name);
        return port == nullptr ? *drivers().back() : driver_of(*port);
    };
    WishedThere wanted(wishes.wishes);
    std::set<std::pair<const Driver*, Object>> added;
    for (const Wish& wish : wishes.wishes) {
        const Driver& driver = driver_at(wish.port);
        if (added.emplace(&driver, wish.field->object).second)
            add(scope.objects, driver, wish.field->object);
        add_element(scope, wish.field->object, wish.element);
        for (const std::string& name : written_along(inventory, wish.port, wish.field->object,
                                                     {wish.field->key}, {wish.element})) {
            if (std::ranges::find(*scope.ports, name) == scope.ports->end())
                scope.ports->push_back(name);
            add(scope.objects, driver_at(name), wish.field->object);
        }
        if (const auto other = asked_of_others(wanted, wish)) scope.everywhere.insert(*other);
    }
    for (const Exact& exact : wishes.exact)
        add(scope.objects, driver_at(exact.port), exact.field->object);
    scope.objects.merge(looked_at_beside(wishes));
    add_makers(scope.objects);
    erase_on_demand(scope.objects);
    return scope;
}

}  // namespace core
