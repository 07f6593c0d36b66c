// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <utility>

#include "core/model/reading.hpp"
#include "core/plan/plan.hpp"

namespace core {

std::vector<std::string> written_along(const State& state, const Step& step) {
    const ObjectRow& row = row_of(step.object);
    if (!row.names_ports && row.of_members.empty()) return {};
    std::set<std::string_view> keys;
    std::set<std::string> elements;
    for (const Change& change : step.changes) {
        keys.insert(change.field->key);
        elements.insert(change.element);
    }
    return written_along(state, step.port, step.object, keys, elements);
}

Port target(const Port& now, const Step& step) {
    Port then = now;
    ElementWriter writer(then);
    for (const Change& change : step.changes) {
        std::optional<Value> value = change.after;
        if (value) value = canonical(change.field->shape, *value);
        writer.set(*change.field, change.element, value);
    }
    writer.done();
    return then;
}

namespace {

/// Records elements that the step removed as known to be absent.
void note_absent(Port& port, const Step& step) {
    for (const Change& change : step.changes) {
        if (change.after)
            port.absent[step.object].erase(change.element);
        else
            port.absent[step.object].insert(change.element);
    }
    if (port.absent[step.object].empty()) port.absent.erase(step.object);
}

}  // namespace

Played play(State& state, const Step& step) {
    const Port* port = find_port(state, step.port);
    if (port == nullptr) return Refusal{.code = ENODEV, .text = "No such device"};
    return play(state, step, target(*port, step));
}

Played play(State& state, const Step& step, const Port& then) {
    Port* port = find_port(state, step.port);
    Port before = *port;
    Played played = row_of(step.object).play(driver_of(before), state, *port, then);
    // A refusal half way leaves the port as it was.
    if (played.refusal) {
        *port = std::move(before);
        return played;
    }
    if (row_of(step.object).read.by_name) note_absent(*port, step);
    mark_unread(*port);
    return played;
}

void take_back(State& state, const Port& before, std::vector<Port> touched) {
    *find_port(state, before.name) = before;
    for (Port& other : touched)
        *find_port(state, other.name) = std::move(other);
}

namespace {

/// Calls `visit` with each step and the commands for it.
template <typename Visit>
void each_spelled(const Plan& plan, const Visit& visit) {
    State state = plan.before;
    for (const Step& step : plan.steps) {
        const Port* port = find_port(state, step.port);
        if (port == nullptr) continue;
        visit(step, row_of(step.object).words.spell(driver_of(*port), *port, target(*port, step)));
        static_cast<void>(play(state, step));
    }
}

}  // namespace

std::vector<std::string> commands(const Plan& plan) {
    std::vector<std::string> lines;
    each_spelled(plan, [&lines](const Step& /*step*/, const Commands& some) {
        lines.insert(lines.end(), some.begin(), some.end());
    });
    return lines;
}

std::vector<std::string> unspelled(const Plan& plan) {
    std::vector<std::string> lines;
    each_spelled(plan, [&lines](const Step& step, const Commands& some) {
        if (!some.empty()) return;
        for (const Change& change : step.changes)
            lines.push_back(step.port + ": " + element_name(*change.field, change.element) +
                            ": no command writes it");
    });
    return lines;
}

}  // namespace core
