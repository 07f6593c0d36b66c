// SPDX-License-Identifier: Apache-2.0
#include "core/plan/owners.hpp"

#include <algorithm>
#include <map>

#include "core/model/finding_names.hpp"
#include "core/model/shell.hpp"
#include "core/objects/link/managers.hpp"

namespace core {
namespace {

bool is_written_by(Object object, unsigned others) {
    return (row_of(object).chosen_by.others & others) != 0;
}

bool is_firmwares(const Dcbx& dcbx) {
    return (dcbx.bits & Dcbx::host) == 0 || (dcbx.bits & Dcbx::lld_managed) != 0;
}

/// Evidence that firmware runs DCBX and the plan does not end that; empty otherwise. Firmware
/// applies what the peer advertises (IEEE 802.1Q, clause 38), or what the NIC's memory holds.
std::string firmware_owns(const Plan& plan, const Port& port) {
    const Port* predicted = find_port(plan.predicted, port.name);
    const bool ends = predicted != nullptr && predicted->dcbx && !is_firmwares(*predicted->dcbx);
    if (ends || !port.dcbx || !is_firmwares(*port.dcbx)) return {};
    return (port.dcbx->bits & Dcbx::lld_managed) != 0 ? "its LLDP agent runs DCBX"
                                                      : "DCBX is not the host's";
}

bool writes(const Plan& plan, const std::string& port, const Manager& owner) {
    return std::ranges::any_of(plan.steps, [&](const Step& step) {
        return step.port == port && is_written_by(step.object, owner.writes);
    });
}

/// Calls `found(port, owner, evidence)` for each owner that writes an object the plan writes, as
/// far as what was seen of it proves that.
template <typename Found>
void for_each_owner(const Plan& plan, const State& state, const Found& found) {
    for (const Port& port : state.ports) {
        Owners owners = port.owners.value_or(Owners{});
        if (const std::string why = firmware_owns(plan, port); !why.empty())
            owners.emplace("firmware", why);
        for (const auto& [name, evidence] : owners) {
            const Manager* owner = find_manager(name);
            if (owner != nullptr && owner->only_where.empty() && writes(plan, port.name, *owner))
                found(port, *owner, evidence);
        }
    }
}

std::string written_too(const Plan& plan, const std::string& port, const Manager& owner) {
    Objects objects;
    for (const Step& step : plan.steps)
        if (step.port == port && is_written_by(step.object, owner.writes))
            objects.insert(step.object);
    std::string out;
    for (const Object object : objects)
        out += (out.empty() ? "" : ", ") + std::string(row_of(object).name);
    return out;
}

std::string with_port(std::string_view text, const std::string& port) {
    std::string out(text);
    if (const std::size_t at = out.find("PORT"); at != std::string::npos) out.replace(at, 4, port);
    return out;
}

/// What the plan disrupts on each port, including the ports that steps write along.
std::map<std::string, Disruption> costs_of(const Plan& plan) {
    std::map<std::string, Disruption> out;
    for (const Step& step : plan.steps) {
        std::vector<std::string> names = written_along(plan.before, step);
        names.push_back(step.port);
        for (const std::string& name : names)
            out[name] = std::max(out[name], step.disruption);
    }
    return out;
}

/// The ports that lose their link or RDMA device, or may.
std::map<std::string, Disruption> costly(const Plan& plan) {
    std::map<std::string, Disruption> out = costs_of(plan);
    std::erase_if(out, [](const auto& cost) { return cost.second < Disruption::unknown; });
    return out;
}

std::string holders(const QueuePairs& pairs) {
    std::string out;
    for (const auto& [name, count] : pairs) {
        out += out.empty() ? "" : ", ";
        out += name + " has " + std::to_string(count);
    }
    return out;
}

/// Calls `found(port, why)` for each of those ports that has queue pairs in use, or unreadable
/// ones.
template <typename Found>
void for_each_held(const Plan& plan, const State& owners, const Found& found) {
    for (const auto& [name, cost] : costly(plan)) {
        const Port* port = find_port(owners, name);
        if (port == nullptr) continue;
        const auto refused = port->refused.find(object_of("rdma.queue_pairs"));
        if (refused != port->refused.end())
            found(name, "its queue pairs cannot be read: " + refused->second.text);
        else if (port->queue_pairs && !port->queue_pairs->empty())
            found(name, "queue pairs are in use: " + holders(*port->queue_pairs));
    }
}

}  // namespace

std::vector<std::string_view> owner_names() {
    std::vector<std::string_view> out;
    for (const Manager& owner : managers())
        out.push_back(owner.name);
    return out;
}

Scope owner_scope(const Plan& plan) {
    Scope scope{.ports = std::vector<std::string>{}, .objects = {object_of("owners")}};
    if (std::ranges::any_of(plan.steps, [](const Step& step) {
            return is_written_by(step.object, Others::firmware);
        }))
        scope.objects.insert(object_of("dcbx.mode"));
    for (const auto& [name, cost] : costs_of(plan))
        if (name != kHost) scope.ports->push_back(name);
    if (!costly(plan).empty()) scope.objects.insert(object_of("rdma.queue_pairs"));
    return scope;
}

std::vector<Finding> other_owners(const Plan& plan, const State& owners) {
    std::vector<Finding> out;
    for_each_owner(plan, owners, [&](const Port& port, const Manager& owner, const auto& evidence) {
        out.push_back({.id = findings::owned,
                       .port = port.name,
                       .key = std::string(owner.name),
                       .text = "writes " + written_too(plan, port.name, owner) + " too (" +
                               evidence + "); apply needs --take '" + std::string(owner.name) + "'",
                       .remedy = with_port(owner.stop, shell(port.name))});
    });
    for_each_held(plan, owners, [&](const std::string& port, const std::string& why) {
        out.push_back(
            {.id = findings::held,
             .port = port,
             .text = why + "; apply needs --allow " + std::string(word(costs_of(plan).at(port)))});
    });
    return out;
}

std::vector<std::string> conflicts(const Plan& plan, const State& owners,
                                   const std::set<std::string>& taken) {
    std::vector<std::string> out;
    for_each_owner(plan, owners, [&](const Port& port, const Manager& owner, const auto& evidence) {
        const std::string name(owner.name);
        if (taken.contains(name)) return;
        std::string line = port.name + ": " + name + " writes ";
        line += written_too(plan, port.name, owner) + " too (" + evidence + "); make it stop: ";
        line += with_port(owner.stop, shell(port.name)) + "; or --take '" + name + "'";
        out.push_back(std::move(line));
    });
    return out;
}

std::vector<std::string> held_ports(const Plan& plan, const State& owners) {
    std::vector<std::string> out;
    for_each_held(plan, owners, [&](const std::string& port, const std::string& why) {
        out.push_back(port + ": " + why);
    });
    return out;
}

}  // namespace core
