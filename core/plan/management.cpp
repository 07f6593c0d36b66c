// SPDX-License-Identifier: Apache-2.0
#include "core/plan/management.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/model/finding_names.hpp"
#include "core/objects/ip/records.hpp"
#include "core/plan/plan.hpp"

namespace core {
namespace {

/// The ports that lose their link, or may, those that are written along too.
std::set<std::string> without_link(const Plan& plan) {
    std::set<std::string> out;
    for (const Step& step : plan.steps) {
        // A soft RDMA device goes without the link.
        if (step.disruption < Disruption::unknown || step.port == kHost ||
            row_of(step.object).lifecycle.makes_rdma_device)
            continue;
        out.insert(step.port);
        for (std::string& name : written_along(plan.before, step))
            out.insert(std::move(name));
    }
    return out;
}

/// Whether `upper` stands on the other: a VLAN or a macvlan on it, or the bond or bridge that it is
/// a member of.
bool stands_on(const Port& upper, const Port& lower) {
    return (upper.link && upper.link->lower == lower.name) ||
           (lower.link && !lower.link->master.empty() && lower.link->master == upper.name);
}

/// To each port that loses its link, or stands on one that does: those below it, itself where it
/// is one of them.
std::map<std::string, std::set<std::string>> losing(const Plan& plan, const State& inventory) {
    std::map<std::string, std::set<std::string>> out;
    for (const std::string& name : without_link(plan)) {
        std::vector<std::string> open{name};
        while (!open.empty()) {
            const std::string at = open.back();
            open.pop_back();
            if (!out[at].insert(name).second) continue;
            const Port* lower = find_port(inventory, at);
            if (lower == nullptr) continue;
            for (const Port& port : inventory.ports)
                if (stands_on(port, *lower)) open.push_back(port.name);
        }
    }
    return out;
}

bool is_default(const Route& route) {
    return route.to.length == 0 && route.table == kMainTable;
}

bool has_default_route(const Port& port) {
    bool found = false;
    routes::each_open(port, [&found](const Route& route) { found = found || is_default(route); });
    return found;
}

bool has_address(const Port& port, const std::optional<Ip>& ip) {
    return ip && port.addresses &&
           std::ranges::find(*port.addresses, *ip, &Address::ip) != port.addresses->end();
}

/// The port as it was read for the plan, with what was read of it beside.
Port as_read(const Plan& plan, const State& read, const std::string& name) {
    const Port* planned = find_port(plan.before, name);
    const Port* beside = find_port(read, name);
    Port out = planned != nullptr ? *planned : Port(name);
    if (beside == nullptr) return out;
    if (!out.addresses) out.addresses = beside->addresses;
    if (!out.routes) {
        out.routes = beside->routes;
        out.routes_beyond = beside->routes_beyond;
    }
    return out;
}

/// `the default route and this session (to 10.0.0.5)`; empty: neither leads by the port.
std::string led_by(const Port& port, const std::optional<Ip>& session) {
    std::string out = has_default_route(port) ? "the default route" : "";
    if (has_address(port, session))
        out +=
            (out.empty() ? "" : " and ") + std::string("this session (to ") + text(*session) + ')';
    return out;
}

/// What the step takes away of it: the address of the session, or a default route that nothing of
/// the step replaces.
std::string taken_by(const Step& step, const std::optional<Ip>& session) {
    for (const Change& change : step.changes) {
        if (change.after || !change.before) continue;
        if (change.field->key == "addresses" && session && change.element == text(*session))
            return "the address of this session, " + change.element + ", is taken away";
        const auto* record = std::get_if<Record>(&*change.before);
        if (change.field->key == "routes" && record != nullptr && is_default(route_of(*record)))
            return "a default route is taken away: " + text(*change.before);
    }
    return {};
}

}  // namespace

bool costs_link(const Plan& plan) {
    return !without_link(plan).empty();
}

Scope management_scope(const Plan& plan, const State& inventory) {
    Scope out{.ports = std::vector<std::string>{}, .objects = {}};
    for (const auto& [name, below] : losing(plan, inventory)) {
        const Port* read = find_port(plan.before, name);
        const bool known = read != nullptr && read->addresses && read->routes;
        if (!known) out.ports->push_back(name);
    }
    if (!out.ports->empty()) out.objects = objects_of({"addresses", "routes"});
    return out;
}

std::vector<Finding> cut_management(const Plan& plan, const State& inventory, const State& read,
                                    const std::optional<Ip>& session, bool guarded) {
    std::vector<Finding> out;
    const auto note = [&](const std::string& port, std::string text) {
        out.push_back({.id = findings::management_link,
                       .port = port,
                       .text = std::move(text),
                       .remedy = guarded ? ""
                                         : "apply with --confirm 5m, which goes back by itself "
                                           "unless rocectl confirm comes in that time"});
    };
    for (const auto& [name, below] : losing(plan, inventory)) {
        const std::string what = led_by(as_read(plan, read, name), session);
        if (what.empty()) continue;
        std::string ports;
        for (const std::string& lower : below)
            ports += (ports.empty() ? "" : ", ") + lower;
        note(name, what + (what.find(" and ") == std::string::npos ? " leads" : " lead") +
                       " by this port, and " +
                       (below.contains(name) ? "its link is lost"
                                             : "the link below it is lost: " + ports));
    }
    for (const Step& step : plan.steps)
        if (std::string what = taken_by(step, session); !what.empty())
            note(step.port, std::move(what));
    return out;
}

}  // namespace core
