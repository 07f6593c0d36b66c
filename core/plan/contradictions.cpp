// SPDX-License-Identifier: Apache-2.0
#include "core/plan/contradictions.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"
#include "core/model/reading.hpp"
#include "core/plan/wish_index.hpp"

namespace core {
namespace {

/// A row about the state of one port. Of a list that others write to as well only what is wished
/// counts, and that was looked at with the wishes.
bool looks_at_state(const FindingRow& row) {
    const Needs& needs = row.needs;
    if (row.look == nullptr || needs.keys.empty() || row.looks_at != LooksAt::settings)
        return false;
    if (needs.before || needs.intent || needs.fabric || !needs.wished.empty()) return false;
    return find_field(needs.keys.front())->shape.kind != Shape::Kind::items;
}

/// What the host has for each of its ports, where it was read.
void add_of_host(const Plan& plan, Port& port) {
    const Port* host = find_port(plan.predicted, kHost);
    if (host == nullptr) return;
    for (const ObjectRow* row : objects())
        if (row->of_each_port) copy_part(row->object, *host, port);
}

/// The wishes for that; where there is none, it was not read.
std::vector<Wish> wished_for_each_port(const Wishes& wishes) {
    std::vector<Wish> out;
    std::ranges::copy_if(wishes.wishes, std::back_inserter(out),
                         [](const Wish& wish) { return row_of(wish.field->object).of_each_port; });
    return out;
}

bool is_looked_at_beside(Topic topic) {
    return topic == Topic::dcb || topic == Topic::congestion;
}

/// What the port will be; a reload cannot be foretold, and what is wished comes after it.
Port foreseen(const Port& predicted, std::span<const Wish> wishes, bool reloads) {
    Port out = predicted;
    if (!reloads) return out;
    ElementWriter writer(out);
    for (const Wish& wish : wishes)
        writer.set(*wish.field, wish.element, wish.value);
    writer.done();
    return out;
}

/// The keys of the port that are wished or change.
std::vector<std::string> concerned(const Port& port, std::span<const Wish> wishes,
                                   const Plan& plan) {
    const Port* before = find_port(plan.before, port.name);
    std::set<const Field*> wished;
    for (const Wish& wish : wishes)
        wished.insert(wish.field);
    std::vector<std::string> out;
    if (before != nullptr) out = differences(*before, port);
    for (const Field* field : wished)
        out.emplace_back(field->key);
    return out;
}

/// The stated wish that the row is about, else a derived one; null where it is about none.
const Wish* wish_for(const FindingRow& row, std::span<const Wish> wishes) {
    const Wish* out = nullptr;
    for (const std::string_view key : row.needs.keys)
        for (const Wish& wish : wishes)
            if (wish.field->key == key &&
                (out == nullptr || (is_derived(out->origin) && !is_derived(wish.origin))))
                out = &wish;
    return out;
}

std::string said_at(const Wish* wish) {
    return wish == nullptr || wish->origin == Origin{} ? "" : text(wish->origin) + ": ";
}

/// What the plan found already, of which ports.
using ToldOfPort = std::set<std::pair<std::string_view, const FindingRow*>>;

void look_at(const Port& port, std::span<const Wish> wishes, const Plan& plan,
             const ToldOfPort& said, std::vector<Finding>& out) {
    const std::vector<std::string> keys = concerned(port, wishes, plan);
    for (const FindingRow* row : catalogue()) {
        const auto concerns = [&](std::string_view key) {
            return std::ranges::find(keys, key) != keys.end();
        };
        if (!looks_at_state(*row) || std::ranges::none_of(row->needs.keys, concerns)) continue;
        const auto faults =
            examine(*row, {.driver = &driver_of(port), .now = &port, .wishes = wishes});
        if (!faults || said.contains({port.name, row})) continue;
        for (const Fault& fault : *faults) {
            const Wish* wish = fault.at == nullptr ? wish_for(*row, wishes) : fault.at;
            out.push_back(
                {.id = *row,
                 .port = port.name,
                 .key = std::string(wish == nullptr ? row->needs.keys.front() : wish->field->key),
                 .text = said_at(wish) + fault.text,
                 .remedy = fault.remedy});
        }
    }
}

/// The wishes at the places: where they stand side by side those themselves, else copies of them.
std::span<const Wish> all_at(const std::vector<std::size_t>& places,
                             const std::vector<Wish>& wishes, std::vector<Wish>& copies) {
    if (places.empty()) return {};
    if (places.back() - places.front() + 1 == places.size())
        return std::span(wishes).subspan(places.front(), places.size());
    for (const std::size_t i : places)
        copies.push_back(wishes[i]);
    return copies;
}

}  // namespace

std::vector<Finding> contradictions(const Wishes& wishes, const Plan& plan) {
    std::vector<Finding> out;
    ToldOfPort said;
    for (const Finding& finding : plan.findings)
        said.emplace(finding.port, &finding.id.row());
    std::set<std::string_view> reloading;
    for (const Step& step : plan.steps)
        if (const Port* before = find_port(plan.before, step.port))
            if (ends_stage(*before, step)) reloading.insert(step.port);
    const WishIndex index(wishes.wishes);
    const std::vector<Wish> of_host = wished_for_each_port(wishes);
    for (const std::string& name : plan.ports) {
        const Port* predicted = find_port(plan.predicted, name);
        if (predicted == nullptr) continue;
        std::vector<Wish> copies;
        std::span<const Wish> own = all_at(index.of(name), wishes.wishes, copies);
        Port port = foreseen(*predicted, own, reloading.contains(name));
        std::vector<Wish> both;
        if (!of_host.empty() && name != kHost) {
            add_of_host(plan, port);
            both.assign(own.begin(), own.end());
            both.insert(both.end(), of_host.begin(), of_host.end());
            own = both;
        }
        look_at(port, own, plan, said, out);
    }
    return out;
}

Objects looked_at_beside(const Wishes& wishes) {
    Objects out;
    std::set<const Field*> fields;
    for (const Wish& wish : wishes.wishes)
        fields.insert(wish.field);
    const auto wished = [&](std::string_view key) { return fields.contains(find_field(key)); };
    for (const FindingRow* row : catalogue()) {
        if (!looks_at_state(*row) || std::ranges::none_of(row->needs.keys, wished)) continue;
        for (const std::string_view key : row->needs.keys)
            if (const Object object = object_of(key); is_looked_at_beside(row_of(object).topic))
                out.insert(object);
    }
    return out;
}

}  // namespace core
