// SPDX-License-Identifier: Apache-2.0
#include "core/profile/port_draft.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/plan/contradictions.hpp"
#include "core/plan/judge.hpp"
#include "core/profile/addressing.hpp"
#include "core/profile/derived.hpp"
#include "core/profile/draft.hpp"
#include "core/profile/draft_host.hpp"
#include "core/profile/entry_keys.hpp"
#include "core/profile/offline_checks.hpp"

namespace core {
namespace {

bool is_stated(const Field& field) {
    // The directory is how the defaults are read, and made for them; the name of a device is one
    // host's own, or stated with rdma.link.
    return field.use == Field::Use::setting && field.shape.kind != Shape::Kind::named &&
           field.key != "rdma.cm_directory" && field.key != "rdma.name";
}

/// What the driver chose for the port is not for a profile to pin.
bool is_chosen_by_driver(const Port& port, const Field& field) {
    const auto by_driver = row_of(field.object).chosen_by.driver;
    return by_driver != nullptr && by_driver(port);
}

/// All that a profile could state of the port and the port holds, with the host's rules for it.
std::vector<Desired> held_by(const Port& port, const Port& host,
                             std::vector<std::string>& left_out) {
    std::vector<Desired> out = rules_about(host, port);
    const Reading now = port;
    for (const Field& field : fields()) {
        if (!is_stated(field) || is_chosen_by_driver(port, field)) continue;
        const auto by_firmware = row_of(field.object).chosen_by.firmware;
        if (by_firmware != nullptr && by_firmware(driver_of(port), port)) continue;
        if (now.elements(field) && uncertainty_of(port, field.object) == Uncertainty::unread) {
            left_out.push_back(port.name + ": " + std::string(field.key) +
                               ": what the driver answers is not what the device holds, until "
                               "the object is written");
            continue;
        }
        for (const auto& [element, value] : now.elements(field).value_or(Elements{})) {
            Desired desired{.port = port.name, .field = &field, .element = element, .value = value};
            if (made_by_kernel(now, field, element) || !holds(now, desired)) continue;
            if (const auto reason = illegal(field.shape, value))
                left_out.push_back(port.name + ": " + element_name(field, element) + ": " +
                                   *reason);
            else
                out.push_back(std::move(desired));
        }
    }
    return out;
}

/// The first thing in which the draft contradicts itself; it points into `desired_values`, which
/// becomes all that the draft comes to.
std::optional<Fault> fault_of(const PortDraft& draft, const std::vector<Desired>& derived,
                              std::vector<Desired>& desired_values) {
    desired_values = draft.stated;
    std::ranges::copy(derived, std::back_inserter(desired_values));
    std::vector<Fault> faults =
        inconsistencies(desired_values, draft.intent, std::nullopt, driver_of(*draft.port));
    std::erase_if(faults,
                  [](const Fault& fault) { return fault.row->level == FindingLevel::note; });
    if (faults.empty()) return std::nullopt;
    return std::move(faults.front());
}

/// What does not fit the rest of the port is no better where nothing of that is stated.
void leave_out_unfit(PortDraft& draft, std::vector<std::string>& left_out) {
    const State now{.host = {}, .ports = {*draft.port}};
    const Plan nothing{.ports = {draft.port->name}, .before = now, .predicted = now};
    DesiredState desired_values{.ports = nothing.ports, .desired_values = draft.stated};
    for (const Finding& finding : contradictions(desired_values, nothing)) {
        if (finding.level != Finding::Level::failure) continue;
        const auto erased = std::erase_if(draft.stated, [&](const Desired& desired) {
            return desired.field->key == finding.key;
        });
        if (erased > 0)
            left_out.push_back(draft.port->name + ": " + finding.key + ": " + finding.text);
    }
}

PortDraft consistent(PortDraft out, std::vector<std::string>& left_out) {
    const Port& port = *out.port;
    std::vector<Desired> derived;
    // No profile may have that without a VLAN.
    if (out.intent && trusts_tag(*out.intent)) out.intent.reset();
    if (out.intent) derived = derive(*out.intent, driver_of(port)).desired_values;
    std::erase_if(out.stated, [&](const Desired& desired) {
        return std::ranges::any_of(
            derived, [&](const Desired& other) { return same_element(desired, other); });
    });
    std::vector<Desired> desired_values;
    while (const auto fault = fault_of(out, derived, desired_values)) {
        left_out.push_back(port.name + ": " + element_name(*fault->at->field, fault->at->element) +
                           ": " + fault->text);
        const auto erased = std::erase_if(
            out.stated, [&](const Desired& desired) { return same_element(desired, *fault->at); });
        if (erased > 0) continue;
        out.intent.reset();
        derived.clear();
    }
    leave_out_unfit(out, left_out);
    return out;
}

PortDraft draft_of(const Port& port, const Port& host, std::vector<std::string>& left_out) {
    return consistent(
        {.port = &port, .intent = intent_of(port), .stated = held_by(port, host, left_out)},
        left_out);
}

bool is_child_of(const Port& child, const Port& parent) {
    return child.vlan && child.vlan->parent == parent.name;
}

/// Of a VLAN, what `vlans` in the entry of its parent can state; the rest is said.
PortDraft child_draft(const State& state, const Port& port, const Port& host,
                      std::vector<std::string>& left_out) {
    PortDraft out{.port = &port, .stated = held_by(port, host, left_out)};
    std::erase_if(out.stated, [&](const Desired& desired) {
        if (may_be_of_vlan(*desired.field) || desired.port == host.name) return false;
        if (row_of(desired.field->object).lives != Lives::hardware)
            left_out.push_back(port.name + ": " + std::string(desired.field->key) +
                               ": which vlans cannot state; it takes an entry that matches the "
                               "VLAN by its name");
        return true;
    });
    for (const Port& other : state.ports)
        if (is_child_of(other, port))
            left_out.push_back(other.name + ": a VLAN on the VLAN " + port.name +
                               ": vlans cannot state it");
    return consistent(std::move(out), left_out);
}

/// A VLAN that is asked for by itself has an entry of its own.
void add_children(const State& state, const std::set<const Port*>& ports, const Port& host,
                  PortDraft& draft, std::vector<std::string>& left_out) {
    for (const Port& port : state.ports)
        if (is_child_of(port, *draft.port) && !ports.contains(&port))
            draft.children.push_back(child_draft(state, port, host, left_out));
}

/// The drafts of all ports, those of VLANs too.
std::vector<PortDraft*> all_of(std::vector<PortDraft>& drafts) {
    std::vector<PortDraft*> out;
    for (PortDraft& draft : drafts) {
        out.push_back(&draft);
        for (PortDraft& child : draft.children)
            out.push_back(&child);
    }
    return out;
}

/// An address is one port's.
void leave_out_twice(std::vector<PortDraft>& drafts, std::vector<std::string>& left_out) {
    std::vector<Desired> all;
    for (const PortDraft* draft : all_of(drafts))
        std::ranges::copy(draft->stated, std::back_inserter(all));
    for (const Finding& twice : desired_twice(all))
        for (PortDraft* draft : all_of(drafts))
            std::erase_if(draft->stated, [&](const Desired& desired) {
                const bool here = draft->port->name == twice.port &&
                                  desired.field->key == twice.key &&
                                  desired.element == twice.element;
                if (here)
                    left_out.push_back(twice.port + ": " + twice.key + ' ' + twice.element +
                                       ": another port has it");
                return here;
            });
}

}  // namespace

std::vector<PortDraft> port_drafts(const State& state, const std::vector<const Port*>& ports,
                                   const Port& host, std::vector<std::string>& left_out) {
    std::vector<PortDraft> drafts;
    const std::set<const Port*> drafted(ports.begin(), ports.end());
    for (const Port* port : ports) {
        if (port->name == kHost) continue;
        drafts.push_back(draft_of(*port, host, left_out));
        add_children(state, drafted, host, drafts.back(), left_out);
    }
    leave_out_twice(drafts, left_out);
    return drafts;
}

}  // namespace core
