// SPDX-License-Identifier: Apache-2.0
#include "core/undo/undo.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/model/finding_names.hpp"

namespace core {
namespace {

using ElementKey = std::tuple<std::string, const Field*, std::string>;

/// A stated item says by its value which one it is.
ElementKey key_of(const Desired& desired) {
    const bool item = desired.value && desired.field->shape.kind == Shape::Kind::items;
    return {desired.port, desired.field,
            item ? identity(desired.field->shape, *desired.value) : desired.element};
}

bool same(const Field& field, const std::optional<Value>& left, const std::optional<Value>& right) {
    if (!left || !right) return left.has_value() == right.has_value();
    return canonical(field.shape, *left) == canonical(field.shape, *right);
}

/// A member of a bond has the bond's MAC address (drivers/net/bonding/bond_main.c bond_enslave),
/// which tells nothing of what it is.
bool is(const Port& port, const Subject& subject) {
    const std::string mac = port.link ? port.link->mac : std::string();
    const std::string pci = port.link ? port.link->pci : std::string();
    const bool any_mac = !link::bond_of(port).empty() || subject.mac.empty();
    return pci == subject.pci && (any_mac || mac == subject.mac);
}

/// The subject's port: by name if that is still the same device, else the only port that matches.
const Port* find_subject(const State& inventory, const Subject& subject) {
    const Port* named = find_port(inventory, subject.name);
    if (named != nullptr && is(*named, subject)) return named;
    const Port* found = nullptr;
    for (const Port& port : inventory.ports) {
        const bool nameless = subject.mac.empty() || !link::bond_of(port).empty();
        if (!is(port, subject) || (subject.pci.empty() && nameless)) continue;
        if (found != nullptr) return nullptr;
        found = &port;
    }
    return found;
}

/// A port that the run made, and that is to go or is gone already, is no device to be found.
bool was_made(const Undo& undo, const std::string& name) {
    return std::ranges::any_of(undo.undo_profile.desired_values, [&](const Desired& desired) {
        const ObjectRow& row = row_of(desired.field->object);
        return desired.port == name && row.lifecycle.unmade != nullptr &&
               desired.field->key == row.fields.front().key && !desired.value;
    });
}

Finding lost(const Subject& subject, const State& inventory) {
    const bool other = find_port(inventory, subject.name) != nullptr;
    const std::string what =
        "recorded with PCI address '" + subject.pci + "' and MAC " + subject.mac + ", ";
    return {.id = other ? findings::other_port : findings::gone,
            .port = subject.name,
            .text = what + (other ? "is another device now" : "is not there")};
}

}  // namespace

Undo undo_of(const std::vector<JournalEntry>& entries) {
    Undo undo;
    std::map<ElementKey, bool> known;
    for (const JournalEntry& entry : entries) {
        for (const std::string& port : entry.undo_profile.ports)
            if (std::ranges::find(undo.undo_profile.ports, port) == undo.undo_profile.ports.end())
                undo.undo_profile.ports.push_back(port);
        for (const Desired& desired : entry.undo_profile.desired_values)
            if (known.emplace(key_of(desired), true).second)
                undo.undo_profile.desired_values.push_back(desired);
        for (const Subject& subject : entry.subjects)
            if (std::ranges::find(undo.subjects, subject) == undo.subjects.end())
                undo.subjects.push_back(subject);
        for (const Attempt& attempt : entry.attempts) {
            if (attempt.result == Outcome::Result::applied)
                undo.force.erase({attempt.step.port, attempt.step.object});
            else
                undo.force.insert({attempt.step.port, attempt.step.object});
        }
    }
    // Changes that later runs made to a created port vanish with it.
    std::set<std::string> made;
    for (const std::string& port : undo.undo_profile.ports)
        if (was_made(undo, port)) made.insert(port);
    std::erase_if(undo.undo_profile.desired_values, [&](const Desired& desired) {
        return desired.value && made.contains(desired.port);
    });
    std::erase_if(undo.force, [&](const auto& one) { return made.contains(one.first); });
    return undo;
}

Scope subjects_scope() {
    return {.ports = std::nullopt, .objects = inventory()};
}

void find_again(Undo& undo, const State& inventory) {
    std::map<std::string, std::string> names;
    for (const Subject& subject : undo.subjects) {
        if (subject.name == kHost || was_made(undo, subject.name)) continue;
        const Port* port = find_subject(inventory, subject);
        if (port == nullptr)
            undo.undo_profile.findings.push_back(lost(subject, inventory));
        else if (port->name != subject.name)
            names[subject.name] = port->name;
    }
    const auto rename = [&names](std::string& name) {
        if (const auto found = names.find(name); found != names.end()) name = found->second;
    };
    std::ranges::for_each(undo.undo_profile.ports, rename);
    for (Desired& desired : undo.undo_profile.desired_values)
        rename(desired.port);
    Force force;
    for (auto [port, object] : undo.force) {
        rename(port);
        force.emplace(port, object);
    }
    undo.force = std::move(force);
}

std::vector<Subject> subjects_of(const Plan& plan) {
    std::vector<Subject> out;
    for (const Step& step : plan.steps) {
        const auto same = [&](const Subject& subject) { return subject.name == step.port; };
        if (std::ranges::any_of(out, same)) continue;
        const Port* port = find_port(plan.before, step.port);
        if (port == nullptr) continue;
        Subject subject{.name = step.port};
        if (port->link) subject.pci = port->link->pci;
        if (port->link && link::bond_of(*port).empty()) subject.mac = port->link->mac;
        out.push_back(std::move(subject));
    }
    return out;
}

std::vector<Desired> taken_away(const JournalEntry& entry, const DesiredState& desired_values) {
    std::set<ElementKey> meant;
    for (const Step& step : entry.steps)
        for (const Change& change : step.changes)
            if (change.origin.other.empty()) meant.emplace(step.port, change.field, change.element);
    for (const Desired& desired : desired_values.desired_values)
        meant.insert(key_of(desired));
    std::vector<Desired> out;
    for (const Desired& desired : entry.undo_profile.desired_values) {
        const Field& field = *desired.field;
        const bool list = field.shape.kind == Shape::Kind::items;
        if (!desired.value || !list || field.use != Field::Use::setting) continue;
        const bool exact = std::ranges::any_of(desired_values.exact, [&](const Exact& one) {
            return one.port == desired.port && one.field == &field;
        });
        if (exact || meant.contains(key_of(desired))) continue;
        out.push_back(desired);
        out.back().optional = true;
        out.back().origin = {.other = "kept: " + entry.command + ' ' + std::to_string(entry.id) +
                                      ", which is unfinished, took it away"};
    }
    return out;
}

bool completes(const DesiredState& desired_values, const JournalEntry& entry) {
    return std::ranges::all_of(entry.steps, [&](const Step& step) {
        return std::ranges::all_of(step.changes, [&](const Change& change) {
            // What nobody desired was written on the way to what somebody did.
            if (!change.origin.other.empty()) return true;
            return std::ranges::any_of(desired_values.desired_values, [&](const Desired& desired) {
                return key_of(desired) == ElementKey{step.port, change.field, change.element} &&
                       same(*change.field, desired.value, change.after);
            });
        });
    });
}

}  // namespace core
