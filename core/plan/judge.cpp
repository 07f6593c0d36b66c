// SPDX-License-Identifier: Apache-2.0
#include "core/plan/judge.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/finding_names.hpp"

namespace core {
namespace {

/// Whether the value has every part that is stated. Parts that the kernel filled in do not count.
bool stated_parts_hold(const Value& wanted, const Value& current) {
    const auto* want = std::get_if<Record>(&wanted);
    const auto* have = std::get_if<Record>(&current);
    if (want == nullptr || have == nullptr) return wanted == current;
    return std::ranges::all_of(*want, [&](const auto& part) {
        const auto found = have->find(part.first);
        return found != have->end() && found->second == part.second;
    });
}

bool value_holds(const Reading& now, const Desired& desired, const Value& current) {
    const auto is_had = [&](const Value& wanted) {
        return wanted == current ||
               (desired.field->same != nullptr && desired.field->same(now.port(), wanted, current));
    };
    const Shape& shape = desired.field->shape;
    if (has_one_spelling(shape) ? is_had(*desired.value) : is_had(canonical(shape, *desired.value)))
        return true;
    return made_by_kernel(now, *desired.field, desired.element) &&
           stated_parts_hold(*desired.value, current);
}

/// Whether the element was not read by name in the state file, so that it is not known.
bool unrecorded(const Reading& now, const Desired& desired) {
    return now.elements(*desired.field) && !is_recorded(now, *desired.field, desired.element);
}

bool is_virtual(const Port& port) {
    return port.link && port.link->function == "vf";
}

/// Whether the port is a virtual function, and what the object is about is its physical function's:
/// it has no DCB (mlx5 en_main.c, bnxt_dcb.c and ice set dcbnl_ops for physical functions alone),
/// where it shows no parameters of congestion control they are not its own
/// (hns_roce_debugfs.c create_cc_param_debugfs), and the bits of its device control register are
/// reserved (drivers/pci/probe.c pci_configure_mps, pci_configure_relaxed_ordering).
bool is_physical_functions(const Port& port, const ObjectRow& row) {
    const bool decided = row.topic == Topic::dcb || row.topic == Topic::bus ||
                         row.topic == Topic::congestion || row.of_physical_function;
    return is_virtual(port) && decided;
}

/// Whether the port stands on one of another network namespace: its GIDs tell, or it is of a kind
/// that does and nothing tells its RDMA device.
bool stands_on_another(const Port& port) {
    if (port.rdma_link) return port.rdma_link->by_gids;
    return port.link && (port.link->kind == "macvlan" || port.link->kind == "ipvlan");
}

/// What the port says of itself is not what there is: the hardware is the other port's, and of the
/// RDMA device nothing is told.
bool is_of_another(const Port& port, const ObjectRow& row) {
    const bool untold =
        !port.rdma_link && (row.lifecycle.makes_rdma_device || row.lives == Lives::rdma_device);
    return stands_on_another(port) && (row.lives == Lives::hardware || untold);
}

/// Whether a live host would tell it, or refuse.
bool is_not_recorded(const Reading& now, const Field& field) {
    const ObjectRow& row = row_of(field.object);
    const bool is_due = row.lives != Lives::rdma_device ||
                        (rdma_link::has_device(now.port()) && rdma_link::speaks_roce(now.port()));
    return row.read.always && is_due && !now.elements(field);
}

/// `the driver does not report ring.tx`: whose it would be to report it.
std::string unreported_text(const Port& port, const Field& field) {
    const ObjectRow& row = row_of(field.object);
    const bool by_driver = row.lives == Lives::hardware || !row.order.by_driver.empty();
    std::string_view reporter = by_driver ? "the driver" : "the kernel";
    if (port.name == kHost) reporter = "this host";
    return std::string(reporter) + " does not report " + std::string(field.key);
}

/// The port that has the setting instead of this one; empty where none is known.
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

Desired with_element(Desired desired) {
    if (desired.value && desired.field->shape.kind == Shape::Kind::items)
        desired.element = identity(desired.field->shape, *desired.value);
    return desired;
}

bool holds(const Reading& now, const Desired& desired) {
    const Field& field = *desired.field;
    const Port& port = now.port();
    const auto refused = port.refused.find(field.object);
    // An undo profile can only restore what the port answered before, even if that was not what the
    // device held.
    const auto as_it_was = [&] {
        return is_undo_profile(desired.origin) &&
               uncertainty_of(port, field.object) == Uncertainty::unread;
    };
    const bool unread =
        (port.unknown.contains(field.object) && !as_it_was()) || refused != port.refused.end();
    if (unread && desired.value) return false;
    // EOPNOTSUPP means that the device has no such thing, so it is absent. After any other refusal
    // it may be there.
    if (refused != port.refused.end() && refused->second.code != EOPNOTSUPP) return false;
    if (unrecorded(now, desired)) return false;
    const Value* current = now.element(field, desired.element);
    if (!desired.value)
        return current == nullptr || (made_by_kernel(now, field, desired.element) &&
                                      !made_by_daemon(now, field, desired.element));
    const auto already_so = row_of(field.object).already_so;
    if (already_so != nullptr && !is_of_fact(desired) && already_so(port)) return true;
    return current != nullptr &&
           (value_holds(now, desired, *current) ||
            std::ranges::find(desired.accepted, *current) != desired.accepted.end());
}

bool depends_on_part_only(const Desired& desired) {
    const ObjectRow& row = row_of(desired.field->object);
    return desired.field->same == nullptr && row.already_so == nullptr &&
           row.read.uncertainty == nullptr && row.chosen_by.kernel == nullptr;
}

bool takes_effect(const Reading& after, const Change& change) {
    const Value* value = after.element(*change.field, change.element);
    if (value == nullptr || !change.after) return value == nullptr && !change.after;
    return *value == *change.after || (change.field->same != nullptr &&
                                       change.field->same(after.port(), *value, *change.after));
}

bool reachable(const Reading& now, const Desired& desired) {
    const Object object = desired.field->object;
    const Port& port = now.port();
    if (port.refused.contains(object)) return false;
    if (row_of(object).of_physical_function && is_virtual(port)) return false;
    const bool answered = now.elements(*desired.field).has_value();
    if (port.unknown.contains(object)) return !row_of(object).read.needs.empty() || answered;
    return answered && !unrecorded(now, desired);
}

Finding unreachable(const Reading& now, const Desired& desired) {
    const Object object = desired.field->object;
    const Port& port = now.port();
    const std::string name(row_of(object).name);
    const bool object_is_there = answers(port, object);
    const Driver& driver = driver_of(port);
    const bool no_dcb = !driver.no_dcb.empty() && row_of(object).topic == Topic::dcb;
    Finding finding = finding_about(desired, findings::unsupported);
    finding.level = Finding::Level::failure;
    std::optional<Unsupported> unsupported_text;
    const ObjectRow& row = row_of(object);
    if (row.unsupported != nullptr)
        unsupported_text = row.unsupported(driver_of(port), port, desired.field->key);
    if (!row.words.unsupported.empty())
        unsupported_text = Unsupported{.text = std::string(row.words.unsupported), .remedy = {}};
    // Without an RDMA device it does not matter why its defaults could not be read.
    const bool closed =
        unsupported_text &&
        (unsupported_text->id == findings::closed ||
         (unsupported_text->id == findings::no_rdma_device && !rdma_link::has_device(port)));
    if (const auto refused = port.refused.find(object); refused != port.refused.end() && !closed) {
        finding.text = name + ": " + text(refused->second) + " while reading";
        if (refused->second.code != EOPNOTSUPP) {
            finding.level = Finding::Level::unknown;
            finding.id = findings::unreadable;
        }
    } else if (port.unknown.contains(object) && !(no_dcb && !object_is_there) &&
               // Where the port answered, though the device may hold something else, a key missing
               // in the answer is not supported.
               (row_of(object).read.uncertainty == nullptr || !object_is_there ||
                now.elements(*desired.field).has_value())) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unknown;
        const ObjectRow::Read& read = row.read;
        const bool once_written =
            read.uncertainty != nullptr ? object_is_there : !read.needs.empty();
        finding.text = !read.unopened.empty() ? std::string(read.unopened)
                       : once_written         ? name + " cannot be read before something is written"
                                              : name + " is not known";
    } else if (unrecorded(now, desired)) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unrecorded;
        finding.text = "the state does not record " + element_name(*desired.field, desired.element);
    } else if (is_not_recorded(now, *desired.field)) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unrecorded;
        finding.text = not_recorded(*desired.field);
    } else if (unsupported_text) {
        finding.id = unsupported_text->id;
        finding.text = unsupported_text->text;
        finding.remedy = unsupported_text->remedy;
    } else {
        finding.text = unreported_text(port, *desired.field);
        // The object exists with other keys on this driver. Its doc says which drivers have this
        // key.
        if (object_is_there) finding.remedy = desired.field->doc;
    }
    if (no_dcb && finding.level == Finding::Level::failure) {
        finding.text = driver.no_dcb;
        finding.remedy = driver.no_dcb_remedy;
    }
    const bool reported = finding.level == Finding::Level::failure;
    const bool of_physical = reported && finding.id == findings::unsupported &&
                             is_physical_functions(port, row_of(object));
    if (of_physical) {
        finding.text =
            "the port is a virtual function, and its physical function decides: on the "
            "host that has it";
        finding.remedy.clear();
    }
    if (reported && is_of_another(port, row)) {
        finding.level = Finding::Level::unknown;
        finding.id = findings::unknown;
        finding.text =
            row.lives != Lives::hardware
                ? not_recorded(*find_field("rdma.device"))
                : "what is the hardware's is another port's, in the network namespace of the host: "
                  "look there";
        finding.remedy.clear();
    }
    // A driver for many devices has some that lack it; one without DCB has no other.
    const bool may_lack = finding.id == findings::unsupported && (driver.of_many_devices || no_dcb);
    const bool no_interface =
        !desired.origin.derived_from.empty() && finding.level == Finding::Level::failure &&
        (may_lack || (unsupported_text && unsupported_text->id == finding.id &&
                      unsupported_text->no_interface));
    const std::string place = right_place(port, object);
    if (!place.empty()) finding.remedy = "state it for " + place;
    // `roce` derives desired values for every port, though another port may be the one to hold
    // them.
    const bool elsewhere = !place.empty() && finding.level == Finding::Level::failure &&
                           !desired.origin.derived_from.empty();
    const bool cannot_hold = desired.optional && finding.level == Finding::Level::failure;
    if (cannot_hold || no_interface || elsewhere || of_physical)
        finding.level = Finding::Level::note;
    finding.cause = finding.text;
    finding.text += ", desired " + (desired.value ? text(*desired.value) : std::string("absent")) +
                    " (" + text(desired.origin) + ")";
    return finding;
}

std::string not_recorded(const Field& field) {
    return std::string(field.key) + " is not recorded in this state";
}

Finding as_required(const Desired& desired, Finding finding) {
    if (!desired.required) return finding;
    finding.id = findings::required;
    if (finding.level == Finding::Level::note) finding.level = Finding::Level::failure;
    finding.text += "; it is required";
    return finding;
}

std::string expected_and_found(const Reading& now, const Desired& desired) {
    const Value* current = now.element(*desired.field, desired.element);
    const std::string found = current != nullptr ? text(*current) : "nothing";
    const std::string what = desired.value ? text(canonical(desired.field->shape, *desired.value))
                                           : std::string("nothing");
    std::string or_else;
    for (const Value& other : desired.accepted)
        or_else += " or " + text(other);
    return "expected " + what + or_else + ", found " + found;
}

void count_facts(std::vector<Finding>& found) {
    for (Finding& finding : found)
        if (finding.id == findings::other_fact || finding.id == findings::unknown_fact)
            finding.level = finding.id.row().level;
}

Tally tally(const DesiredState& desired_values, const State& now) {
    Tally out{.desired = desired_values.desired_values.size()};
    Readings readings(now);
    for (const Desired& desired : desired_values.desired_values) {
        const Reading* reading = readings.find(desired.port);
        const bool held = reading != nullptr && holds(*reading, with_element(desired));
        if (held) ++out.held;
        if (!held && desired.optional) ++out.optional;
    }
    return out;
}

}  // namespace core
