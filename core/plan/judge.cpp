// SPDX-License-Identifier: Apache-2.0
#include "core/plan/judge.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/checks/rows.hpp"

namespace core {
namespace {

/// Every part that the wish states is as stated; what the kernel filled in beside does not count.
bool stated_parts_hold(const Value& wished, const Value& current) {
    const auto* want = std::get_if<Record>(&wished);
    const auto* have = std::get_if<Record>(&current);
    if (want == nullptr || have == nullptr) return wished == current;
    return std::ranges::all_of(*want, [&](const auto& part) {
        const auto found = have->find(part.first);
        return found != have->end() && found->second == part.second;
    });
}

bool value_holds(const Port& port, const Wish& wish, const Value& current) {
    const Value wished = canonical(wish.field->shape, *wish.value);
    if (wished == current) return true;
    if (wish.field->same != nullptr && wish.field->same(port, wished, current)) return true;
    return made_by_kernel(port, *wish.field, wish.element) &&
           stated_parts_hold(*wish.value, current);
}

/// Whether a state file was made without asking for what the wish is about.
bool unrecorded(const Port& port, const Wish& wish) {
    return wish.field->get(port) && !is_recorded(port, *wish.field, wish.element);
}

/// Which port has what the wish is about, where it is not this one.
std::string right_place(const Port& port, Object object) {
    if (!port.link) return {};
    const Link& link = *port.link;
    const Lives lives = row_of(object).lives;
    const bool of_hardware = lives == Lives::hardware;
    if (link.kind == "bond" && of_hardware) return "the members of " + port.name;
    if (!link.lower.empty() && of_hardware) return link.lower;
    if (link.master_kind == "bond" && lives == Lives::rdma_device) return link.master;
    return {};
}

}  // namespace

Wish with_element(Wish wish) {
    if (wish.value && wish.field->shape.kind == Shape::Kind::items)
        wish.element = identity(wish.field->shape, *wish.value);
    return wish;
}

bool holds(const Port& port, const Wish& wish) {
    const Field& field = *wish.field;
    const auto refused = port.refused.find(field.object);
    // Of what the port answers without meaning it no more can be brought back than that answer.
    const bool as_it_was = doubt_of(port, field.object) == Doubt::unread && is_past(wish.origin);
    const bool unread =
        (port.unknown.contains(field.object) && !as_it_was) || refused != port.refused.end();
    if (unread && wish.value) return false;
    // What a device does not have is absent; what it failed to tell may be there.
    if (refused != port.refused.end() && refused->second.code != EOPNOTSUPP) return false;
    if (unrecorded(port, wish)) return false;
    if (!wish.value) {
        const std::optional<Elements> elements = field.get(port);
        return !elements || !elements->contains(wish.element) ||
               made_by_kernel(port, field, wish.element);
    }
    if (const auto moot = row_of(field.object).moot; moot != nullptr && moot(port)) return true;
    const std::optional<Value> current = element_of(port, field, wish.element);
    return current && value_holds(port, wish, *current);
}

bool takes_effect(const Port& after, const Change& change) {
    const std::optional<Value> value = element_of(after, *change.field, change.element);
    if (value == change.after) return true;
    return value && change.after && change.field->same != nullptr &&
           change.field->same(after, *value, *change.after);
}

bool reachable(const Port& port, const Wish& wish) {
    const Object object = wish.field->object;
    if (port.refused.contains(object)) return false;
    if (port.unknown.contains(object))
        return !row_of(object).needs.empty() || wish.field->get(port).has_value();
    return wish.field->get(port).has_value() && !unrecorded(port, wish);
}

Finding unreachable(const Port& port, const Wish& wish) {
    const Object object = wish.field->object;
    const std::string name(row_of(object).name);
    Finding finding = finding_about(wish, findings::unsupported);
    finding.level = Finding::Level::failure;
    std::optional<Lack> lack;
    if (const auto lacks = row_of(object).lacks; lacks != nullptr)
        lack = lacks(driver_of(port), port, wish.field->key);
    const bool closed = lack && lack->id == findings::closed;
    if (const auto refused = port.refused.find(object); refused != port.refused.end() && !closed) {
        finding.text = name + ": " + text(refused->second) + " while reading";
        if (refused->second.code != EOPNOTSUPP) {
            finding.level = Finding::Level::unknown;
            finding.id = findings::unreadable;
        }
    } else if (port.unknown.contains(object) &&
               // What is only doubted was answered: a key that the answer lacks is not to be had.
               (row_of(object).doubt == nullptr || wish.field->get(port).has_value())) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unknown;
        finding.text = name + " cannot be read before something is written";
    } else if (unrecorded(port, wish)) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unrecorded;
        finding.text = "the state does not record " + element_name(*wish.field, wish.element);
    } else if (lack) {
        finding.id = lack->id;
        finding.text = lack->text;
        finding.remedy = lack->remedy;
    } else {
        finding.text = std::string(port.name == kHost ? "the host" : "the driver") +
                       " reports no " + std::string(wish.field->key);
        // The object is there, and has other keys on this driver; the doc says on which it has
        // this.
        const bool object_is_there = std::ranges::any_of(fields(), [&](const Field& field) {
            return field.object == object && field.get(port);
        });
        if (object_is_there) finding.remedy = wish.field->doc;
    }
    const bool reported = finding.level == Finding::Level::failure;
    const bool generic =
        finding.id == findings::unsupported && &driver_of(port) == drivers().back();
    const bool no_interface = !wish.origin.derived_from.empty() && reported &&
                              (generic || (lack && lack->id == finding.id && lack->no_interface));
    const std::string place = right_place(port, object);
    if (!place.empty()) finding.remedy = "state it for " + place;
    // What follows from an intent is asked of every port, though it may be another's to hold.
    const bool elsewhere = !place.empty() && reported && !wish.origin.derived_from.empty();
    const bool cannot_hold = wish.optional && finding.level == Finding::Level::failure;
    if (cannot_hold || no_interface || elsewhere) finding.level = Finding::Level::note;
    finding.cause = finding.text;
    finding.text += ", wished " + (wish.value ? text(*wish.value) : std::string("absent")) + " (" +
                    text(wish.origin) + ")";
    return finding;
}

std::string expected_and_found(const Port& port, const Wish& wish) {
    const std::optional<Value> current = element_of(port, *wish.field, wish.element);
    const std::string found = current ? text(*current) : "nothing";
    const std::string what =
        wish.value ? text(canonical(wish.field->shape, *wish.value)) : std::string("nothing");
    return "expected " + what + ", found " + found;
}

Tally tally(const Wishes& wishes, const State& now) {
    Tally out{.wished = wishes.wishes.size()};
    for (const Wish& wish : wishes.wishes) {
        const Port* port = find_port(now, wish.port);
        const bool held = port != nullptr && holds(*port, with_element(wish));
        if (held) ++out.held;
        if (!held && wish.optional) ++out.optional;
    }
    return out;
}

}  // namespace core
