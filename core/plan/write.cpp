// SPDX-License-Identifier: Apache-2.0
#include "core/plan/write.hpp"

#include "core/plan/judge.hpp"

namespace core {
namespace {

std::string asked(const Step& step) {
    std::string out;
    for (const Change& change : step.changes) {
        out += out.empty() ? "while setting " : ", ";
        out += std::string(change.field->key);
        if (!change.element.empty() && !change.after) out += " " + change.element + " absent";
        if (!change.element.empty() && is_keyed(change.field->shape) && change.after)
            out += " " + change.element;
        if (change.after) out += " to " + text(*change.after);
    }
    return out;
}

std::string subject(const Step& step) {
    return step.port + ": " + std::string(row_of(step.object).name) + ": ";
}

bool took(const Reading& now, const Change& change) {
    const Object object = change.field->object;
    const Port& port = now.port();
    if (port.unknown.contains(object) && !row_of(object).read.needs.empty()) return false;
    const Desired desired{.port = port.name,
                          .field = change.field,
                          .element = change.element,
                          .value = change.after,
                          .origin = change.origin};
    return holds(now, desired);
}

/// What the step should have stored and did not, in words; empty where it stored everything.
std::string missing(const State& state, const Step& step) {
    const Port* port = find_port(state, step.port);
    if (port == nullptr) return "the port is gone";
    const Reading now = *port;
    for (const Change& change : step.changes) {
        if (took(now, change)) continue;
        if (const auto refused = port->refused.find(step.object); refused != port->refused.end())
            return text(refused->second) + " while reading back";
        const auto found = element_of(now, *change.field, change.element);
        return "answered with success, but " + element_name(*change.field, change.element) +
               " reads " + (found ? text(*found) : "nothing") + " and not " +
               (change.after ? text(*change.after) : "nothing");
    }
    return {};
}

/// Reads the object back until it has the new values or the settle time is over. Returns what is
/// missing.
std::string settle(Kernel& kernel, const Step& step) {
    std::string reason;
    read_until(kernel, scope_of_step(step),
               std::chrono::milliseconds(row_of(step.object).order.settle_ms),
               [&](const State& now) {
                   reason = missing(now, step);
                   return reason.empty();
               });
    return reason;
}

}  // namespace

std::string_view word(Outcome::Result result) {
    switch (result) {
        case Outcome::Result::applied: return "applied";
        case Outcome::Result::refused: return "refused";
        case Outcome::Result::not_stored: break;
    }
    return "not stored";
}

Scope scope_of_step(const Step& step) {
    Objects objects = inventory();
    objects.insert(step.object);
    const std::string_view needs = row_of(step.object).read.needs;
    if (!needs.empty()) {
        const ObjectRow& opener = row_of(object_of(needs));
        objects.insert(opener.object);
        objects.insert(opener.read.found_by.begin(), opener.read.found_by.end());
    }
    Scope scope{.ports = std::vector<std::string>{step.port}, .objects = std::move(objects)};
    for (const Change& change : step.changes)
        add_element(scope, step.object, change.element);
    return scope;
}

Outcome write_step(Kernel& kernel, const Step& step) {
    Outcome outcome{.step = step};
    outcome.refusal = kernel.write(step);
    if (outcome.refusal) {
        outcome.result = Outcome::Result::refused;
        outcome.text = subject(step) + text(*outcome.refusal) + " " + asked(step);
        return outcome;
    }
    const std::string reason = settle(kernel, step);
    if (!reason.empty()) {
        outcome.result = Outcome::Result::not_stored;
        outcome.text = subject(step) + reason + " " + asked(step);
    }
    return outcome;
}

std::string reason_of(const Outcome& outcome) {
    const std::string about = subject(outcome.step);
    return outcome.text.starts_with(about) ? outcome.text.substr(about.size()) : outcome.text;
}

std::vector<Desired> learn(Kernel& kernel, const Step& step) {
    std::vector<Desired> out;
    if (!std::ranges::any_of(step.changes, &Change::before_unknown)) return out;
    const State now = kernel.read(scope_of_step(step));
    const Port* port = find_port(now, step.port);
    if (port == nullptr || port->unknown.contains(step.object)) return out;
    for (const Field& field : fields()) {
        if (field.object != step.object || !is_restored(field)) continue;
        for (const auto& [element, value] : field.get(*port).value_or(Elements{}))
            out.push_back({.port = step.port,
                           .field = &field,
                           .element = element,
                           .value = value,
                           .origin = {.other = std::string(kAsItWas)}});
    }
    return out;
}

std::chrono::milliseconds longest_settle(const Plan& plan) {
    unsigned longest = 0;
    for (const Step& step : plan.steps)
        longest = std::max(longest, row_of(step.object).order.settle_ms);
    return std::chrono::milliseconds(longest);
}

}  // namespace core
