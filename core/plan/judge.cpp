// SPDX-License-Identifier: Apache-2.0
#include "core/plan/judge.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/finding_names.hpp"

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

bool value_holds(const Reading& now, const Wish& wish, const Value& current) {
    const auto is_had = [&](const Value& wished) {
        return wished == current ||
               (wish.field->same != nullptr && wish.field->same(now.port(), wished, current));
    };
    const Shape& shape = wish.field->shape;
    if (has_one_spelling(shape) ? is_had(*wish.value) : is_had(canonical(shape, *wish.value)))
        return true;
    return made_by_kernel(now, *wish.field, wish.element) &&
           stated_parts_hold(*wish.value, current);
}

/// Whether a state file was made without asking for what the wish is about.
bool unrecorded(const Reading& now, const Wish& wish) {
    return now.elements(*wish.field) && !is_recorded(now, *wish.field, wish.element);
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

bool holds(const Reading& now, const Wish& wish) {
    const Field& field = *wish.field;
    const Port& port = now.port();
    const auto refused = port.refused.find(field.object);
    // Of what the port answers without meaning it no more can be brought back than that answer.
    const auto as_it_was = [&] {
        return is_past(wish.origin) && doubt_of(port, field.object) == Doubt::unread;
    };
    const bool unread =
        (port.unknown.contains(field.object) && !as_it_was()) || refused != port.refused.end();
    if (unread && wish.value) return false;
    // What a device does not have is absent; what it failed to tell may be there.
    if (refused != port.refused.end() && refused->second.code != EOPNOTSUPP) return false;
    if (unrecorded(now, wish)) return false;
    const Value* current = now.element(field, wish.element);
    if (!wish.value) return current == nullptr || made_by_kernel(now, field, wish.element);
    const auto moot = row_of(field.object).moot;
    if (moot != nullptr && !is_of_fact(wish) && moot(port)) return true;
    return current != nullptr &&
           (value_holds(now, wish, *current) ||
            std::ranges::find(wish.accepted, *current) != wish.accepted.end());
}

bool is_told_by_part(const Wish& wish) {
    const ObjectRow& row = row_of(wish.field->object);
    return wish.field->same == nullptr && row.moot == nullptr && row.doubt == nullptr &&
           row.by_kernel == nullptr;
}

bool takes_effect(const Reading& after, const Change& change) {
    const Value* value = after.element(*change.field, change.element);
    if (value == nullptr || !change.after) return value == nullptr && !change.after;
    return *value == *change.after || (change.field->same != nullptr &&
                                       change.field->same(after.port(), *value, *change.after));
}

bool reachable(const Reading& now, const Wish& wish) {
    const Object object = wish.field->object;
    const Port& port = now.port();
    if (port.refused.contains(object)) return false;
    const bool answered = now.elements(*wish.field).has_value();
    if (port.unknown.contains(object)) return !row_of(object).needs.empty() || answered;
    return answered && !unrecorded(now, wish);
}

Finding unreachable(const Reading& now, const Wish& wish) {
    const Object object = wish.field->object;
    const Port& port = now.port();
    const std::string name(row_of(object).name);
    Finding finding = finding_about(wish, findings::unsupported);
    finding.level = Finding::Level::failure;
    std::optional<Lack> lack;
    const ObjectRow& row = row_of(object);
    if (row.lacks != nullptr) lack = row.lacks(driver_of(port), port, wish.field->key);
    if (!row.lack.empty()) lack = Lack{.text = std::string(row.lack), .remedy = {}};
    // Without a device it does not matter why its defaults could not be read.
    const bool closed =
        lack && (lack->id == findings::closed ||
                 (lack->id == findings::no_rdma_device && !rdma_link::has_device(port)));
    if (const auto refused = port.refused.find(object); refused != port.refused.end() && !closed) {
        finding.text = name + ": " + text(refused->second) + " while reading";
        if (refused->second.code != EOPNOTSUPP) {
            finding.level = Finding::Level::unknown;
            finding.id = findings::unreadable;
        }
    } else if (port.unknown.contains(object) &&
               // What is only doubted was answered: a key that the answer lacks is not to be had.
               (row_of(object).doubt == nullptr || now.elements(*wish.field).has_value())) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unknown;
        const std::string_view words = row_of(object).unopened;
        finding.text = words.empty() ? name + " cannot be read before something is written"
                                     : std::string(words);
    } else if (unrecorded(now, wish)) {
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
            return field.object == object && now.elements(field);
        });
        if (object_is_there) finding.remedy = wish.field->doc;
    }
    const Driver& driver = driver_of(port);
    const bool no_dcb = !driver.no_dcb.empty() && row_of(object).topic == Topic::dcb;
    if (no_dcb && finding.level == Finding::Level::failure) finding.text = driver.no_dcb;
    const bool reported = finding.level == Finding::Level::failure;
    const bool generic =
        finding.id == findings::unsupported && (&driver == drivers().back() || no_dcb);
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

Finding as_required(const Wish& wish, Finding finding) {
    if (!wish.required) return finding;
    finding.id = findings::required;
    if (finding.level == Finding::Level::note) finding.level = Finding::Level::failure;
    finding.text += "; it is required";
    return finding;
}

std::string expected_and_found(const Reading& now, const Wish& wish) {
    const Value* current = now.element(*wish.field, wish.element);
    const std::string found = current != nullptr ? text(*current) : "nothing";
    const std::string what =
        wish.value ? text(canonical(wish.field->shape, *wish.value)) : std::string("nothing");
    std::string or_else;
    for (const Value& other : wish.accepted)
        or_else += " or " + text(other);
    return "expected " + what + or_else + ", found " + found;
}

void count_facts(std::vector<Finding>& found) {
    for (Finding& finding : found)
        if (finding.id == findings::other_fact || finding.id == findings::unknown_fact)
            finding.level = finding.id.row().level;
}

Tally tally(const Wishes& wishes, const State& now) {
    Tally out{.wished = wishes.wishes.size()};
    Readings readings(now);
    for (const Wish& wish : wishes.wishes) {
        const Reading* reading = readings.find(wish.port);
        const bool held = reading != nullptr && holds(*reading, with_element(wish));
        if (held) ++out.held;
        if (!held && wish.optional) ++out.optional;
    }
    return out;
}

}  // namespace core
