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
#include "core/model/glob.hpp"
#include "core/profile/draft_host.hpp"
#include "core/profile/entry_keys.hpp"
#include "core/profile/port_draft.hpp"

namespace core {
namespace {

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
