// SPDX-License-Identifier: Apache-2.0
#include "core/plan/undo.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <tuple>

#include "core/model/finding_names.hpp"
#include "core/plan/readiness.hpp"
#include "core/plan/write.hpp"

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

/// A member of a bond has the bond's MAC address and the bond that of a member
/// (drivers/net/bonding/bond_main.c bond_enslave), a bridge the lowest of its members'
/// (net/bridge/br_stp_if.c br_stp_recalculate_bridge_id), a team that of its first, and a VLAN that
/// of the device below (net/8021q/vlan_dev.c vlan_dev_init): it tells nothing of what they are.
bool has_own_mac(const Port& port) {
    if (!port.link || !link::bond_of(port).empty() || !port.link->lower.empty()) return false;
    const std::string& kind = port.link->kind;
    return kind != "bond" && kind != "bridge" && kind != "team";
}

bool same_if_known(const std::string& recorded, const std::string& now) {
    return recorded.empty() || recorded == now;
}

/// The PCI address is read after the link: of a device whose driver went in between it is empty,
/// as it is of one that has none. Then the permanent MAC address tells them apart.
bool is_in_place(const Link& link, const Subject& subject) {
    if (link.pci == subject.pci) return true;
    return (link.pci.empty() || subject.pci.empty()) && !subject.permanent_mac.empty() &&
           link.permanent_mac == subject.permanent_mac;
}

/// A MAC address can be set anew, the permanent one cannot.
bool is(const Port& port, const Subject& subject) {
    const Link link = port.link.value_or(Link{});
    if (!is_in_place(link, subject) || !same_if_known(subject.kind, link.kind)) return false;
    if (!subject.permanent_mac.empty()) return link.permanent_mac == subject.permanent_mac;
    return !has_own_mac(port) || same_if_known(subject.mac, link.mac);
}

/// The subject's port: by name if that is still the same device, else the only port that matches.
const Port* find_subject(const State& inventory, const Subject& subject) {
    const Port* named = find_port(inventory, subject.name);
    if (named != nullptr && is(*named, subject)) return named;
    const Port* found = nullptr;
    for (const Port& port : inventory.ports) {
        const bool nameless = subject.pci.empty() && subject.permanent_mac.empty() &&
                              (subject.mac.empty() || !has_own_mac(port));
        if (!is(port, subject) || nameless) continue;
        if (found != nullptr) return nullptr;
        found = &port;
    }
    return found;
}

/// A port that the run made, and that is to go or is gone already, is no device to be found; nor is
/// one that it removed, which the undo makes.
bool was_made(const Undo& undo, const std::string& name, bool to_go) {
    return std::ranges::any_of(undo.undo_profile.desired_values, [&](const Desired& desired) {
        const ObjectRow& row = row_of(desired.field->object);
        return desired.port == name && row.lifecycle.unmade != nullptr &&
               desired.field->key == row.fields.front().key && desired.value.has_value() != to_go;
    });
}

/// `PCI address '0000:17:00.0' and MAC 02:00:00:00:00:01`
std::string identity_of(const Subject& subject) {
    std::string out = "PCI address '" + subject.pci + '\'';
    if (!subject.permanent_mac.empty())
        out += " and permanent MAC " + subject.permanent_mac;
    else if (!subject.mac.empty())
        out += " and MAC " + subject.mac;
    if (!subject.kind.empty()) out += ", a " + subject.kind;
    return out;
}

Finding lost(const Subject& subject, const State& inventory) {
    const bool other = find_port(inventory, subject.name) != nullptr;
    return {.id = other ? findings::other_port : findings::gone,
            .port = subject.name,
            .text = "recorded with " + identity_of(subject) +
                    (other ? ", is another device now" : ", is not there")};
}

/// Without the values of these ports.
void drop(Undo& undo, const std::set<std::string>& names) {
    const auto is_dropped = [&](const std::string& name) { return names.contains(name); };
    std::erase_if(undo.undo_profile.ports, is_dropped);
    std::erase_if(undo.undo_profile.desired_values, [&](const Desired& desired) {
        return is_dropped(desired.port) || is_dropped(port_in(*desired.field, desired.element));
    });
    std::erase_if(undo.force, [&](const auto& one) { return is_dropped(one.first); });
}

bool is_elsewhere(const JournalEntry& entry, const NetworkNamespace& here) {
    return entry.network_namespace != 0 && here.cookie != 0 && entry.boot == here.boot &&
           entry.network_namespace != here.cookie;
}

void report_elsewhere(const JournalEntry& entry, DesiredState& undo_profile) {
    for (const Subject& subject : entry.subjects)
        undo_profile.findings.push_back({.id = findings::other_port,
                                         .port = subject.name,
                                         .text = "entry " + std::to_string(entry.id) +
                                                 " changed it in another network namespace, and "
                                                 "can go back only there"});
}

}  // namespace

Undo undo_of(const std::vector<JournalEntry>& entries, const NetworkNamespace& here) {
    Undo undo;
    std::map<ElementKey, bool> known;
    for (const JournalEntry& entry : entries) {
        if (is_elsewhere(entry, here)) {
            report_elsewhere(entry, undo.undo_profile);
            continue;
        }
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
        if (was_made(undo, port, true)) made.insert(port);
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
    std::set<std::string> gone;
    for (const Subject& subject : undo.subjects) {
        if (subject.name == kHost || was_made(undo, subject.name, true)) continue;
        const Port* port = find_subject(inventory, subject);
        if (port != nullptr) {
            if (port->name != subject.name) names[subject.name] = port->name;
            continue;
        }
        const bool is_made = was_made(undo, subject.name, false);
        if (is_made && find_port(inventory, subject.name) == nullptr) continue;
        undo.undo_profile.findings.push_back(lost(subject, inventory));
        gone.insert(subject.name);
    }
    drop(undo, gone);
    const auto rename = [&names](std::string& name) {
        if (const auto found = names.find(name); found != names.end()) name = found->second;
    };
    std::ranges::for_each(undo.undo_profile.ports, rename);
    for (Desired& desired : undo.undo_profile.desired_values) {
        rename(desired.port);
        const auto found = names.find(port_in(*desired.field, desired.element));
        if (found != names.end())
            desired.element =
                row_of(desired.field->object).lifecycle.about(desired.element, found->second);
    }
    Force force;
    for (auto [port, object] : undo.force) {
        rename(port);
        force.emplace(port, object);
    }
    undo.force = std::move(force);
}

std::vector<Subject> subjects_of(const Plan& plan, const DesiredState& undo_profile) {
    std::vector<Subject> out;
    std::set<std::string> known;
    const auto add = [&](const std::string& name) {
        const Port* port = find_port(plan.before, name);
        if (port == nullptr || !known.insert(name).second) return;
        Subject subject{.name = name};
        if (port->link) {
            subject.pci = port->link->pci;
            if (has_own_mac(*port)) subject.mac = port->link->mac;
            subject.permanent_mac = port->link->permanent_mac;
            subject.kind = port->link->kind;
        }
        out.push_back(std::move(subject));
    };
    for (const Step& step : plan.steps) {
        add(step.port);
        for (const Change& change : step.changes)
            add(port_in(*change.field, change.element));
    }
    for (const Desired& desired : undo_profile.desired_values)
        add(desired.port);
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

namespace {

/// How long undoing waits for one link, and for all links together, before it goes on.
constexpr std::chrono::milliseconds kLinkWhileUndoing{10'000};
constexpr std::chrono::milliseconds kLinksWhileUndoing{20'000};

/// Whether the links that earlier steps took down are up again and there is time left for others.
/// False where they cannot be read.
bool has_links(Kernel& kernel, const Plan& back, std::size_t next, const State& foreseen,
               std::chrono::milliseconds& left, Recorder& recorder, DisturbedLinks& links) {
    try {
        const auto start = kernel.time();
        if (await_link(kernel, back, next, foreseen, std::min(left, kLinkWhileUndoing), recorder,
                       links))
            return false;
        left -= std::min(left, kernel.time() - start);
    } catch (const std::exception&) {
        return false;
    }
    return left.count() > 0;
}

}  // namespace

template <typename Tell>
void Forbearing::tell(const Tell& tell) {
    try {
        tell();
    } catch (const std::exception& error) {
        if (failure_.empty()) failure_ = error.what();
    }
}

void Forbearing::begin(const Plan& plan, const DesiredState& undo_profile) {
    tell([&] { recorder_.begin(plan, undo_profile); });
}

void Forbearing::learned(const std::vector<Desired>& values) {
    tell([&] { recorder_.learned(values); });
}

void Forbearing::writing(const Step& step, bool undoing) {
    tell([&] { recorder_.writing(step, undoing); });
}

void Forbearing::wrote(const Outcome& outcome, bool undoing) {
    tell([&] { recorder_.wrote(outcome, undoing); });
}

void Forbearing::waiting(const Finding& missed) {
    tell([&] { recorder_.waiting(missed); });
}

void undo_steps(Kernel& kernel, const DesiredState& undo_profile, const Force& force,
                const Scope& scope, Recorder& recorder, std::vector<Outcome>& undone) {
    Force still = force;
    int rounds = 2;
    bool one_by_one = true;
    auto left = kLinksWhileUndoing;
    for (int round = 0; round < rounds; ++round) {
        const Plan back = make_plan(undo_profile, kernel.read(scope), still);
        if (back.steps.empty()) return;
        if (ends_stage(back)) rounds = 3;
        State foreseen = back.before;
        DisturbedLinks links;
        for (std::size_t i = 0; i < back.steps.size(); ++i) {
            const Step& step = back.steps[i];
            one_by_one = one_by_one && has_links(kernel, back, i, foreseen, left, recorder, links);
            recorder.writing(step, true);
            undone.push_back(write_step(kernel, step));
            recorder.wrote(undone.back(), true);
            if (undone.back().result != Outcome::Result::applied) continue;
            still.erase({step.port, step.object});
            static_cast<void>(play(foreseen, step));
        }
    }
}

std::vector<Finding> lost_unseen(const std::vector<Outcome>& undone) {
    std::vector<Finding> out;
    for (const Outcome& outcome : undone) {
        const bool restored = std::ranges::any_of(undone, [&](const Outcome& other) {
            return other.step.port == outcome.step.port &&
                   other.step.object == outcome.step.object &&
                   other.result == Outcome::Result::applied;
        });
        const bool reported = std::ranges::any_of(out, [&](const Finding& other) {
            return other.port == outcome.step.port && other.key == row_of(outcome.step.object).name;
        });
        if (restored || reported || row_of(outcome.step.object).read.needs.empty()) continue;
        out.push_back({.id = findings::not_restored,
                       .port = outcome.step.port,
                       .key = std::string(row_of(outcome.step.object).name),
                       .text = outcome.text});
    }
    return out;
}

Finding late_write() {
    return {.id = findings::not_restored,
            .text = "a write that had no answer has not ended, and may be stored still"};
}

Finding unnoted(const std::string& reason) {
    return {.id = findings::unnoted,
            .level = Finding::Level::note,
            .text = "not noted in the journal: " + reason};
}

Finding broken(const std::exception& error) {
    return {.id = findings::broken, .text = error.what()};
}

namespace {

/// What is not as it was, as findings.
std::vector<Finding> not_as_it_was(const Plan& remaining, const std::vector<Outcome>& undone) {
    std::vector<Finding> out;
    for (const Step& step : remaining.steps)
        for (const Change& change : step.changes)
            out.push_back({.id = findings::changed,
                           .port = step.port,
                           .key = std::string(change.field->key),
                           .element = change.element,
                           .text = "is " + (change.before ? text(*change.before) : "nothing") +
                                   ", was " + (change.after ? text(*change.after) : "nothing")});
    for (const Finding& finding : remaining.findings)
        if (finding.level != Finding::Level::note) out.push_back(finding);
    const std::vector<Finding> unseen = lost_unseen(undone);
    out.insert(out.end(), unseen.begin(), unseen.end());
    return out;
}

/// What worked before the rollback and does not now; nobody states that the rest does.
std::vector<Finding> no_more_ready(Kernel& kernel, const DesiredState& undo_profile,
                                   const Plan& plan, const State& was, Waits waits,
                                   Recorder& recorder) {
    waits.wait_for_others = std::chrono::milliseconds(0);
    std::vector<Finding> out = await_ready(kernel, undo_profile, plan, was, waits, recorder).ours;
    for (Finding& finding : out)
        finding.level = Finding::Level::note;
    return out;
}

}  // namespace

Report undo_run(Kernel& kernel, const DesiredState& undo_profile, const Plan& plan,
                const Force& force, Recorder& recorder, const Waits& waits) {
    Report report;
    report.plan = plan;
    const State was = read_readiness(kernel, undo_profile, plan);
    Forbearing forbearing(recorder);
    forbearing.begin(plan, core::undo_profile(plan));
    const Scope scope = scope_of(undo_profile, plan.before);
    try {
        undo_steps(kernel, undo_profile, force, scope, forbearing, report.outcomes);
        const bool late = kernel.has_late_write();
        report.surprises = no_more_ready(kernel, undo_profile, plan, was, waits, forbearing);
        read_until(kernel, scope, longest_settle(plan), [&](const State& now) {
            report.remaining = make_plan(undo_profile, now);
            return satisfied(report.remaining);
        });
        report.left_changed = not_as_it_was(report.remaining, report.outcomes);
        if (late) report.left_changed.push_back(late_write());
    } catch (const std::exception& error) {
        report.left_changed.push_back(broken(error));
    }
    if (!forbearing.failure().empty()) report.surprises.push_back(unnoted(forbearing.failure()));
    report.status = report.left_changed.empty() ? Status::done : Status::left_changed;
    return report;
}

}  // namespace core
