// SPDX-License-Identifier: Apache-2.0
#include "core/plan/contradictions.hpp"

#include <algorithm>

#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"

namespace core {
namespace {

/// A row about the state of one port. Of a list that others write to as well only what is wished
/// counts, and that was looked at with the wishes.
bool looks_at_state(const FindingRow& row) {
    const Needs& needs = row.needs;
    if (row.look == nullptr || needs.keys.empty()) return false;
    if (needs.before || needs.intent || needs.fabric || !needs.wished.empty()) return false;
    return find_field(needs.keys.front())->shape.kind != Shape::Kind::items;
}

bool is_looked_at_beside(Topic topic) {
    return topic == Topic::dcb || topic == Topic::congestion;
}

/// What the port will be; a reload cannot be foretold, and what is wished comes after it.
Port foreseen(const Port& predicted, const std::vector<Wish>& wishes, const Plan& plan) {
    Port out = predicted;
    const Port* before = find_port(plan.before, predicted.name);
    const bool reloads = std::ranges::any_of(plan.steps, [&](const Step& step) {
        return step.port == predicted.name && before != nullptr && ends_stage(*before, step);
    });
    if (reloads)
        for (const Wish& wish : wishes)
            set_element(out, *wish.field, wish.element, wish.value);
    return out;
}

/// The keys of the port that are wished or change.
std::vector<std::string> concerned(const Port& port, const std::vector<Wish>& wishes,
                                   const Plan& plan) {
    const Port* before = find_port(plan.before, port.name);
    std::vector<std::string> out;
    if (before != nullptr) out = differences(*before, port);
    for (const Wish& wish : wishes)
        out.emplace_back(wish.field->key);
    return out;
}

/// The stated wish that the row is about, else a derived one; null where it is about none.
const Wish* wish_for(const FindingRow& row, const std::vector<Wish>& wishes) {
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

void look_at(const Port& port, const std::vector<Wish>& wishes, const Plan& plan,
             std::vector<Finding>& out) {
    const std::vector<std::string> keys = concerned(port, wishes, plan);
    for (const FindingRow* row : catalogue()) {
        const auto concerns = [&](std::string_view key) {
            return std::ranges::find(keys, key) != keys.end();
        };
        if (!looks_at_state(*row) || std::ranges::none_of(row->needs.keys, concerns)) continue;
        const bool said = std::ranges::any_of(plan.findings, [&](const Finding& finding) {
            return finding.port == port.name && finding.id == row->id;
        });
        const auto faults =
            examine(*row, {.driver = &driver_of(port), .now = &port, .wishes = wishes});
        if (said || !faults) continue;
        const Wish* wish = wish_for(*row, wishes);
        for (const Fault& fault : *faults)
            out.push_back(
                {.id = *row,
                 .port = port.name,
                 .key = std::string(wish == nullptr ? row->needs.keys.front() : wish->field->key),
                 .text = said_at(wish) + fault.text,
                 .remedy = fault.remedy});
    }
}

}  // namespace

std::vector<Finding> contradictions(const Wishes& wishes, const Plan& plan) {
    std::vector<Finding> out;
    for (const std::string& name : plan.ports) {
        const Port* predicted = find_port(plan.predicted, name);
        if (predicted == nullptr) continue;
        std::vector<Wish> own;
        std::ranges::copy_if(wishes.wishes, std::back_inserter(own),
                             [&](const Wish& wish) { return wish.port == name; });
        look_at(foreseen(*predicted, own, plan), own, plan, out);
    }
    return out;
}

Objects looked_at_beside(const Wishes& wishes) {
    Objects out;
    const auto wished = [&](std::string_view key) {
        return std::ranges::any_of(wishes.wishes,
                                   [&](const Wish& wish) { return wish.field->key == key; });
    };
    for (const FindingRow* row : catalogue()) {
        if (!looks_at_state(*row) || std::ranges::none_of(row->needs.keys, wished)) continue;
        for (const std::string_view key : row->needs.keys)
            if (const Object object = object_of(key); is_looked_at_beside(row_of(object).topic))
                out.insert(object);
    }
    return out;
}

}  // namespace core
