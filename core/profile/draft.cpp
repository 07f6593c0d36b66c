// SPDX-License-Identifier: Apache-2.0
#include "core/profile/draft.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/json/value_json.hpp"
#include "core/model/glob.hpp"
#include "core/model/state.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/link/managers.hpp"
#include "core/plan/contradictions.hpp"
#include "core/plan/judge.hpp"
#include "core/profile/conflict.hpp"
#include "core/profile/derivation.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/offline.hpp"

namespace core {
namespace {

/// Those of the kernel (rt_tables: default, main, local) hold routes of every port.
bool is_of_kernel(std::uint32_t table) {
    constexpr std::uint32_t first = 253;
    constexpr std::uint32_t last = 255;
    return table >= first && table <= last;
}

bool is_about(const Rule& rule, const Port& port) {
    if (rule.iif == port.name || rule.oif == port.name) return true;
    const auto is_from = [&](const Address& address) {
        return rule.from && !address.by_kernel && address.ip.v6 == rule.from->ip.v6 &&
               contains(*rule.from, address.ip);
    };
    if (port.addresses && std::ranges::any_of(*port.addresses, is_from)) return true;
    const auto is_to = [&](const Route& route) {
        return route.table == rule.table && route.to.ip.v6 == rule.v6;
    };
    return port.routes && !is_of_kernel(rule.table) && std::ranges::any_of(*port.routes, is_to);
}

/// The pools that hold pages, each once: a size says more than that it is the default one, and
/// how many lie on which node follows from the memory.
HugePages pools_of(const HugePages& all) {
    HugePages out;
    const auto preset = all.find("default");
    bool named = false;
    for (const auto& [name, count] : all) {
        const auto pool = parse_huge_page_pool(name);
        if (count == 0 || name == "default" || !pool || pool->node) continue;
        out.emplace(name, count);
        named = named || (preset != all.end() && preset->second == count);
    }
    if (preset != all.end() && preset->second > 0 && !named) out.insert(*preset);
    return out;
}

/// The rules of the host that are about the port: from an address of it, by its name, or to a
/// table of its own that holds routes out of it.
std::vector<Desired> rules_about(const Port& host, const Port& port) {
    std::vector<Desired> out;
    if (!host.rules) return out;
    for (const Rule& rule : *host.rules)
        if (!made_by_kernel(rule) && is_about(rule, port))
            out.push_back({.port = host.name,
                           .field = find_field("rules"),
                           .element = identity(rule),
                           .value = Value(record_of(rule))});
    return out;
}

/// What RoCE asks of the host itself and the kernel does not have before somebody sets it: huge
/// pages, and RDMA devices of one namespace. Null where there is nothing.
Json host_draft(const Port& host) {
    Json out;
    if (host.rdma_system && *host.rdma_system == "exclusive")
        out["rdma"] = {{"netns_mode", *host.rdma_system}};
    if (!host.hugepages) return out;
    for (const auto& [name, count] : pools_of(*host.hugepages))
        out["hugepages"][name] = count;
    return out;
}

/// What one port will be stated to hold.
struct PortDraft {
    const Port* port = nullptr;
    std::optional<Intent> intent{};
    std::vector<Desired> stated{};      ///< what does not follow from the intent
    std::vector<PortDraft> children{};  ///< VLANs on it
};

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
            const auto wrong_key =
                is_keyed(field.shape) ? illegal_key(field.shape, element) : std::nullopt;
            if (const auto reason = wrong_key ? wrong_key : illegal(field.shape, value))
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

/// What a profile can state of the ports without contradicting itself; the rest is said in
/// `left_out`. The drafts point to the state.
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

Json roce_json(const Intent& intent) {
    Json out = Json::object();
    for (const auto& [key, part] : parts(intent))
        nested(out, key->name) = to_json(key->shape, value_of(*key, *part));
    if (!intent.cnp) out["cnp"] = nullptr;
    return out;
}

void add_settings(Json& entry, const std::vector<Desired>& desired_values) {
    std::map<const Field*, Elements> values;
    for (const Desired& desired : desired_values)
        values[desired.field].emplace(desired.element, *desired.value);
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
    // How many ports that no match has to tell apart each driver has that are drafted no more.
    std::map<std::string, std::ptrdiff_t> left;
    for (const Port& port : state.ports)
        if (function_to_state(port).empty()) ++left[driver_name(port)];
    for (const PortDraft& draft : drafts)
        if (function_to_state(*draft.port).empty()) --left[driver_name(*draft.port)];
    for (const PortDraft& draft : drafts) {
        // A part of a NIC that a match has to name stands by itself.
        const bool apart = !function_to_state(*draft.port).empty();
        const std::string driver = apart ? "" : driver_name(*draft.port);
        const bool all = left[driver] == 0;
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
std::vector<Desired> take_common(std::vector<PortDraft>& group) {
    // How many of the drafts state it.
    using Stated = std::tuple<const Field*, std::string, std::optional<Value>>;
    std::map<Stated, std::set<const PortDraft*>> stated;
    for (const PortDraft& draft : group)
        for (const Desired& desired : draft.stated)
            stated[{desired.field, desired.element, desired.value}].insert(&draft);
    const auto is_common = [&](const Desired& desired) {
        return stated.at({desired.field, desired.element, desired.value}).size() == group.size();
    };
    std::vector<Desired> common;
    std::ranges::copy_if(group.front().stated, std::back_inserter(common), is_common);
    for (PortDraft& draft : group)
        std::erase_if(draft.stated, is_common);
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
    Json match = {{"name", literal(port.name)}};
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

/// What of the drafts is a bond's own stands in `host`, so that it can be made from nothing.
Json take_bonds(std::vector<PortDraft>& drafts) {
    Json out = Json::object();
    for (PortDraft& draft : drafts) {
        const auto own = std::stable_partition(
            draft.stated.begin(), draft.stated.end(),
            [](const Desired& desired) { return !desired.field->key.starts_with(kBondKeys); });
        if (own == draft.stated.end()) continue;
        Json settings = Json::object();
        add_settings(settings, {own, draft.stated.end()});
        out[draft.port->name] = settings.at("bond");
        draft.stated.erase(own, draft.stated.end());
    }
    return out;
}

std::optional<Json> roce_of(const PortDraft& draft) {
    if (!draft.intent) return std::nullopt;
    return std::make_optional(roce_json(*draft.intent));
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

/// Which of the port's settings are as another manager of it sets them.
std::vector<std::string> set_by_others(const Port& port) {
    std::vector<std::string> out;
    const Reading now = port;
    for (const auto& [name, seen] : port.owners.value_or(Owners{})) {
        const Manager* manager = find_manager(name);
        if (manager == nullptr || manager->sets == nullptr) continue;
        std::string same;
        for (const ManagedSetting& one : manager->sets(seen)) {
            const Field* field = find_field(one.key);
            const Value* held = field == nullptr ? nullptr : now.element(*field, one.element);
            if (held != nullptr && *held == one.value)
                same += (same.empty() ? "" : ", ") + element_name(*field, one.element) + ' ' +
                        text(one.value);
        }
        if (same.empty()) continue;
        std::string line = port.name;
        line.append(": ").append(same).append(": as ").append(name);
        line += manager->only_where.empty() ? " sets it (" : " may set it (";
        line.append(seen) += ')';
        out.push_back(std::move(line));
    }
    return out;
}

}  // namespace

Objects drafted_objects() {
    Objects out;
    for (const ObjectRow* row : objects()) {
        const bool stated = std::ranges::any_of(
            row->fields, [](const Field& field) { return field.use == Field::Use::setting; });
        if (stated || row->lives != Lives::host) out.insert(row->object);
    }
    return out;
}

Draft draft_profile(const State& state, const std::vector<const Port*>& ports,
                    const std::string& name) {
    Draft out;
    const Port* read = find_port(state, kHost);
    const Port host = read == nullptr ? Port(kHost) : *read;
    std::vector<PortDraft> drafts = port_drafts(state, ports, host, out.left_out);
    for (const PortDraft* draft : all_of(drafts))
        std::ranges::move(set_by_others(*draft->port), std::back_inserter(out.set_by));
    Json document = {{"format", 1}, {"name", name}};
    const bool one_intent = !drafts.empty() && drafts.front().intent && agree(drafts);
    if (one_intent) document["roce"] = *roce_of(drafts.front());
    if (Json of_host = host_draft(host); !of_host.is_null()) document["host"] = std::move(of_host);
    if (Json bonds = take_bonds(drafts); !bonds.empty()) document["host"]["bonds"] = bonds;
    Json entries = Json::array();
    for (std::vector<PortDraft>& group : groups_of(state, drafts))
        add_group(entries, std::move(group), !one_intent);
    document["ports"] = std::move(entries);
    out.document = pretty(document);
    return out;
}

}  // namespace core
