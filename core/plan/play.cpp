// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/plan/plan.hpp"

namespace core {
namespace {

/// A VLAN carries no more than the device below it (net/8021q/vlan_dev.c vlan_dev_change_mtu).
std::optional<Refusal> above_lower(const State& state, const Port& now, const Port& then) {
    if (!then.link || then.link->lower.empty() || now.link->mtu == then.link->mtu)
        return std::nullopt;
    const Port* lower = find_port(state, then.link->lower);
    if (lower == nullptr || !lower->link || then.link->mtu <= lower->link->mtu) return std::nullopt;
    return Refusal{.code = ERANGE, .text = "Numerical result out of range"};
}

std::optional<Refusal> name_taken(const State& state, const Port& then) {
    for (const Port& other : state.ports)
        if (other.name != then.name && other.rdma && !then.rdma->type.empty() &&
            other.rdma->device == then.rdma->device)
            return Refusal{.code = EEXIST, .text = "File exists"};
    return std::nullopt;
}

/// (to, table, metric) is taken once a host: a second route of it, also of another port, is
/// refused (NLM_F_EXCL).
std::optional<Refusal> route_taken(const State& state, const Port& now, const Port& then) {
    const Field& field = *find_field("routes");
    for (const auto& [element, value] : field.get(then).value_or(Elements{})) {
        if (element_of(now, field, element)) continue;
        for (const Port& other : state.ports)
            if (other.name != then.name && element_of(other, field, element))
                return Refusal{.code = EEXIST,
                               .text = "File exists: " + other.name + " has the route " + element};
    }
    return std::nullopt;
}

}  // namespace

Port target(const Port& now, const Step& step) {
    Port then = now;
    for (const Change& change : step.changes) {
        std::optional<Value> value = change.after;
        if (value) value = canonical(change.field->shape, *value);
        set_element(then, *change.field, change.element, value);
    }
    return then;
}

std::optional<Refusal> play(State& state, const Step& step) {
    Port* port = find_port(state, step.port);
    if (port == nullptr) return Refusal{.code = ENODEV, .text = "No such device"};
    const Port then = target(*port, step);
    if (step.object == Object::link)
        if (auto no = above_lower(state, *port, then)) return no;
    if (step.object == Object::rdma_link)
        if (auto no = name_taken(state, then)) return no;
    if (step.object == Object::routes)
        if (auto no = route_taken(state, *port, then)) return no;
    return row_of(step.object).play(driver_of(*port), *port, then);
}

std::vector<std::string> commands(const Plan& plan) {
    std::vector<std::string> lines;
    State state = plan.before;
    for (const Step& step : plan.steps) {
        const Port* port = find_port(state, step.port);
        if (port == nullptr) continue;
        const Commands some =
            row_of(step.object).spell(driver_of(*port), *port, target(*port, step));
        lines.insert(lines.end(), some.begin(), some.end());
        static_cast<void>(play(state, step));
    }
    return lines;
}

}  // namespace core
