// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/plan/plan.hpp"

namespace core {

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
    const ObjectRow& row = row_of(step.object);
    if (row.clashes != nullptr)
        if (auto no = row.clashes(state, *port, then)) return no;
    if (auto no = row.play(driver_of(*port), *port, then)) return no;
    if (row.inherits != nullptr) row.inherits(state, *port);
    if (row.spread != nullptr)
        for (Port& other : state.ports)
            if (other.name != port->name) row.spread(*port, other);
    return std::nullopt;
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
