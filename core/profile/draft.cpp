// SPDX-License-Identifier: Apache-2.0
#include "core/profile/draft.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/json/nested.hpp"
#include "core/json/pretty.hpp"
#include "core/plan/contradictions.hpp"
#include "core/plan/judge.hpp"
#include "core/profile/addressing.hpp"
#include "core/profile/derived.hpp"
#include "core/profile/draft_host.hpp"
#include "core/profile/entry_keys.hpp"
#include "core/profile/offline_checks.hpp"

namespace core {
namespace {

/// What one port will be stated to hold.
struct PortDraft {
    const Port* port = nullptr;
    std::optional<Intent> intent{};
    std::vector<Wish> stated{};
    std::vector<PortDraft> children{};  ///< VLANs on it
};

bool same_wish(const Wish& left, const Wish& right) {
    return same_element(left, right) && left.value == right.value;
}

bool is_stated(const Field& field) {
    // The directory is how the defaults are read, and made for them; the name of a device is one
    // host's own, or stated with rdma.link.
    return field.use == Field::Use::setting && field.shape.kind != Shape::Kind::named &&
           field.key != "rdma.cm_directory" && field.key != "rdma.name";
}

/// What the driver chose for the port is not for a profile to pin.
bool is_chosen_by_driver(const Port& port, const Field& field) {
    const auto by_driver = row_of(field.object).by_driver;
    return by_driver != nullptr && by_driver(port);
}

/// All that a profile could state of the port and the port holds, with the host's rules for it.
std::vector<Wish> held_by(const Port& port, const Port& host, std::vector<std::string>& left_out) {
    std::vector<Wish> out = rules_about(host, port);
    for (const Field& field : fields()) {
        if (!is_stated(field) || is_chosen_by_driver(port, field)) continue;
        const auto by_firmware = row_of(field.object).by_firmware;
        if (by_firmware != nullptr && by_firmware(driver_of(port), port)) continue;
        if (field.get(port) && doubt_of(port, field.object) == Doubt::unread) {
            left_out.push_back(port.name + ": " + std::string(field.key) +
                               ": what the driver answers is not what the device holds, until it "
                               "was told something");
            continue;
        }
        for (const auto& [element, value] : field.get(port).value_or(Elements{})) {
            Wish wish{.port = port.name, .field = &field, .element = element, .value = value};
            if (made_by_kernel(port, field, element) || !holds(port, wish)) continue;
            if (const auto reason = illegal(field.shape, value))
                left_out.push_back(port.name + ": " + element_name(field, element) + ": " +
                                   *reason);
            else
                out.push_back(std::move(wish));
        }
    }
    return out;
}

/// The first thing in which the draft contradicts itself; it points into `wishes`, which becomes
/// all that the draft comes to.
std::optional<Fault> fault_of(const PortDraft& draft, const std::vector<Wish>& derived,
                              std::vector<Wish>& wishes) {
    wishes = draft.stated;
    std::ranges::copy(derived, std::back_inserter(wishes));
    std::vector<Fault> faults =
        inconsistencies(wishes, draft.intent, std::nullopt, driver_of(*draft.port));
    std::erase_if(faults,
                  [](const Fault& fault) { return fault.row->level == FindingLevel::note; });
    if (faults.empty()) return std::nullopt;
    return std::move(faults.front());
}

/// What does not fit the rest of the port is no better where nothing of that is stated.
void leave_out_unfit(PortDraft& draft, std::vector<std::string>& left_out) {
    const State now{.host = {}, .ports = {*draft.port}};
    const Plan nothing{.ports = {draft.port->name}, .before = now, .predicted = now};
    Wishes wishes{.ports = nothing.ports, .wishes = draft.stated};
    for (const Finding& finding : contradictions(wishes, nothing)) {
        if (finding.level != Finding::Level::failure) continue;
        const auto erased = std::erase_if(
            draft.stated, [&](const Wish& wish) { return wish.field->key == finding.key; });
        if (erased > 0)
            left_out.push_back(draft.port->name + ": " + finding.key + ": " + finding.text);
    }
}

PortDraft consistent(PortDraft out, std::vector<std::string>& left_out) {
    const Port& port = *out.port;
    std::vector<Wish> derived;
    // No profile may have that without a VLAN.
    if (out.intent && trusts_tag(*out.intent)) out.intent.reset();
    if (out.intent) derived = derive(*out.intent, driver_of(port)).wishes;
    std::erase_if(out.stated, [&](const Wish& wish) {
        return std::ranges::any_of(derived,
                                   [&](const Wish& other) { return same_element(wish, other); });
    });
    std::vector<Wish> wishes;
    while (const auto fault = fault_of(out, derived, wishes)) {
        left_out.push_back(port.name + ": " + element_name(*fault->at->field, fault->at->element) +
                           ": " + fault->text);
        const auto erased = std::erase_if(
            out.stated, [&](const Wish& wish) { return same_element(wish, *fault->at); });
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
    std::erase_if(out.stated, [&](const Wish& wish) {
        if (may_be_of_vlan(*wish.field) || wish.port == host.name) return false;
        if (row_of(wish.field->object).lives != Lives::hardware)
            left_out.push_back(port.name + ": " + std::string(wish.field->key) +
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
void add_children(const State& state, const std::vector<const Port*>& ports, const Port& host,
                  PortDraft& draft, std::vector<std::string>& left_out) {
    for (const Port& port : state.ports) {
        const bool drafted = std::ranges::find(ports, &port) != ports.end();
        if (!drafted && is_child_of(port, *draft.port))
            draft.children.push_back(child_draft(state, port, host, left_out));
    }
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
    std::vector<Wish> all;
    for (const PortDraft* draft : all_of(drafts))
        std::ranges::copy(draft->stated, std::back_inserter(all));
    for (const Finding& twice : wished_twice(all))
        for (PortDraft* draft : all_of(drafts))
            std::erase_if(draft->stated, [&](const Wish& wish) {
                const bool here = draft->port->name == twice.port && wish.field->key == twice.key &&
                                  wish.element == twice.element;
                if (here)
                    left_out.push_back(twice.port + ": " + twice.key + ' ' + twice.element +
                                       ": another port has it");
                return here;
            });
}

Json roce_json(const Intent& intent) {
    Json out = Json::object();
    for (const auto& [key, part] : parts(intent))
        nested(out, key->name) = to_json(key->shape, value_of(*key, *part));
    if (!intent.cnp) out["cnp"] = nullptr;
    return out;
}

void add_settings(Json& entry, const std::vector<Wish>& wishes) {
    std::map<const Field*, Elements> values;
    for (const Wish& wish : wishes)
        values[wish.field].emplace(wish.element, *wish.value);
    for (const auto& [field, elements] : values)  // in the order of the table
        nested(entry, field->key) = to_json(field->shape, elements);
}

std::string driver_name(const Port& port) {
    return port.device ? port.device->driver : "";
}

/// What part of a NIC the port is, where a match has to say so.
std::string function_to_state(const Port& port) {
    return port.link && port.link->function != "pf" ? port.link->function : "";
}

/// Ports of one driver, all that the state has of it.
std::vector<std::vector<PortDraft>> groups_of(const State& state,
                                              const std::vector<PortDraft>& drafts) {
    std::vector<std::vector<PortDraft>> out;
    std::map<std::string, std::size_t> group;
    for (const PortDraft& draft : drafts) {
        // A part of a NIC that a match has to name stands by itself.
        const bool apart = !function_to_state(*draft.port).empty();
        const std::string driver = apart ? "" : driver_name(*draft.port);
        const auto is_of = [&](const Port& port) {
            return driver_name(port) == driver && function_to_state(port).empty();
        };
        const bool all = std::ranges::count_if(state.ports, is_of) ==
                         std::ranges::count_if(
                             drafts, [&](const PortDraft& other) { return is_of(*other.port); });
        const auto known = group.find(driver);
        if (driver.empty() || !all || known == group.end()) {
            if (!driver.empty() && all) group[driver] = out.size();
            out.push_back({draft});
        } else {
            out[known->second].push_back(draft);
        }
    }
    return out;
}

/// Takes from the drafts what all of them state, and gives it back.
std::vector<Wish> take_common(std::vector<PortDraft>& group) {
    std::vector<Wish> common = group.front().stated;
    const auto has = [](const PortDraft& draft, const Wish& wish) {
        return std::ranges::any_of(draft.stated,
                                   [&](const Wish& other) { return same_wish(wish, other); });
    };
    std::erase_if(common, [&](const Wish& wish) {
        return !std::ranges::all_of(group, [&](const PortDraft& one) { return has(one, wish); });
    });
    for (PortDraft& draft : group)
        std::erase_if(draft.stated, [&](const Wish& wish) {
            return std::ranges::any_of(common,
                                       [&](const Wish& other) { return same_wish(wish, other); });
        });
    return common;
}

Json child_json(const Port& parent, const PortDraft& child) {
    const std::string own = parent.name + '.' + std::to_string(child.port->vlan->id);
    Json out = Json::object();
    if (child.port->name != own) out["name"] = child.port->name;
    add_settings(out, child.stated);
    return out;
}

Json port_entry(const PortDraft& draft, const std::optional<Json>& roce) {
    const Port& port = *draft.port;
    Json match = {{"name", port.name}};
    if (!driver_name(port).empty()) match["driver"] = driver_name(port);
    if (const std::string other = function_to_state(port); !other.empty())
        match["function"] = other;
    Json entry = {{"match", std::move(match)}};
    if (roce) entry["roce"] = *roce;
    if (port.rdma_link && !port.rdma_link->others.empty())
        entry["rdma"]["device"] = port.rdma_link->device;
    add_settings(entry, draft.stated);
    for (const PortDraft& child : draft.children)
        entry["vlans"][std::to_string(child.port->vlan->id)] = child_json(port, child);
    return entry;
}

std::optional<Json> roce_of(const PortDraft& draft) {
    if (!draft.intent) return std::nullopt;
    return roce_json(*draft.intent);
}

bool agree(const std::vector<PortDraft>& drafts) {
    return std::ranges::all_of(
        drafts, [&](const PortDraft& draft) { return roce_of(draft) == roce_of(drafts.front()); });
}

void add_group(Json& entries, std::vector<PortDraft> group, bool with_roce) {
    const bool shared = group.size() > 1 && agree(group);
    if (shared) {
        Json entry = {{"match", {{"driver", driver_name(*group.front().port)}}},
                      {"expect", group.size()}};
        if (const auto roce = roce_of(group.front()); with_roce && roce) entry["roce"] = *roce;
        add_settings(entry, take_common(group));
        entries.push_back(std::move(entry));
    }
    for (const PortDraft& draft : group) {
        const bool own = with_roce && !shared;
        Json entry = port_entry(draft, own ? roce_of(draft) : std::nullopt);
        if (!shared || entry.size() > 1) entries.push_back(std::move(entry));
    }
}

}  // namespace

Draft draft_profile(const State& state, const std::vector<const Port*>& ports,
                    const std::string& name) {
    Draft out;
    std::vector<PortDraft> drafts;
    const Port* read = find_port(state, kHost);
    const Port host = read == nullptr ? Port(kHost) : *read;
    for (const Port* port : ports) {
        if (port->name == kHost) continue;
        drafts.push_back(draft_of(*port, host, out.left_out));
        add_children(state, ports, host, drafts.back(), out.left_out);
    }
    leave_out_twice(drafts, out.left_out);
    Json document = {{"format", 1}, {"name", name}};
    const bool one_intent = !drafts.empty() && drafts.front().intent && agree(drafts);
    if (one_intent) document["roce"] = *roce_of(drafts.front());
    if (Json of_host = host_draft(host); !of_host.is_null()) document["host"] = std::move(of_host);
    Json entries = Json::array();
    for (std::vector<PortDraft>& group : groups_of(state, drafts))
        add_group(entries, std::move(group), !one_intent);
    document["ports"] = std::move(entries);
    out.document = pretty(document);
    return out;
}

}  // namespace core
