// SPDX-License-Identifier: Apache-2.0
#include "core/plan/await.hpp"

#include <algorithm>
#include <set>

#include "core/checks/rows.hpp"
#include "core/plan/write.hpp"

namespace core {
namespace {

using Names = std::set<std::string>;

bool has_carrier(const State& state, const std::string& name) {
    const Port* port = find_port(state, name);
    return port != nullptr && port->link && port->link->up && port->link->carrier;
}

/// Whether the plan itself takes the port down, or takes it away.
bool meant_to_go(const Plan& plan, const std::string& name) {
    const Port* port = find_port(plan.predicted, name);
    return port == nullptr || (port->link && !port->link->up);
}

/// The ports among the first `end` steps that cost their link at least `cost` and had a carrier.
Names disturbed(const Plan& plan, std::size_t end, Disruption cost) {
    Names names;
    for (std::size_t i = 0; i < end; ++i) {
        const Step& step = plan.steps[i];
        if (step.disruption >= cost && has_carrier(plan.before, step.port) &&
            !meant_to_go(plan, step.port))
            names.insert(step.port);
    }
    return names;
}

Scope scope_of(const Names& names, Objects objects) {
    return {.ports = std::vector<std::string>(names.begin(), names.end()),
            .objects = std::move(objects)};
}

std::string in_seconds(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

std::vector<Finding> without_carrier(const Names& names, const State& now,
                                     std::chrono::milliseconds time) {
    std::vector<Finding> out;
    for (const std::string& name : names)
        if (!has_carrier(now, name))
            out.push_back({.id = findings::no_carrier,
                           .port = name,
                           .key = "carrier",
                           .text = "the link has not come back in " + in_seconds(time),
                           .remedy = "--wait gives it more time"});
    return out;
}

/// The state of a RoCE port follows its netdev (drivers/infiniband/core/roce_gid_mgmt.c and the
/// drivers' netdev notifiers), a little later.
std::vector<Finding> without_rdma(const State& now, std::chrono::milliseconds time) {
    std::vector<Finding> out;
    for (const Port& port : now.ports) {
        if (!port.rdma_port || !has_carrier(now, port.name)) continue;
        if (port.rdma_port->state.empty() || port.rdma_port->state == "ACTIVE") continue;
        out.push_back({.id = findings::rdma_not_active,
                       .port = port.name,
                       .key = "rdma.state",
                       .text = "is " + port.rdma_port->state + " after " + in_seconds(time)});
    }
    return out;
}

/// The kernel keeps a GID for each address of a netdev that a RoCE port is on
/// (drivers/infiniband/core/roce_gid_mgmt.c, from a work queue).
bool has_gid(const RdmaPort& rdma_port, const Ip& ip) {
    Ip wanted = ip;
    if (!ip.v6) {
        wanted = {.v6 = true};
        wanted.bytes[10] = wanted.bytes[11] = 0xff;
        std::copy_n(ip.bytes.begin(), 4, wanted.bytes.begin() + 12);
    }
    return std::ranges::any_of(rdma_port.gids,
                               [&](const Gid& gid) { return parse_ip(gid.gid) == wanted; });
}

/// One that is of the netdev; iWARP's (siw, irdma) and InfiniBand's are of none, and a live RoCE
/// port has that of its link-local address at least.
bool has_roce_gid(const Port& port) {
    return std::ranges::any_of(port.rdma_port->gids,
                               [&](const Gid& gid) { return gid.port == port.name; });
}

std::vector<Finding> without_gid(const State& now, std::chrono::milliseconds time) {
    std::vector<Finding> out;
    for (const Port& port : now.ports) {
        if (!port.rdma_port || !port.addresses || !has_carrier(now, port.name)) continue;
        if (!has_roce_gid(port)) continue;
        for (const Address& address : *port.addresses)
            if (!address.by_kernel && !has_gid(*port.rdma_port, address.ip))
                out.push_back(
                    {.id = findings::no_gid,
                     .port = port.name,
                     .key = "rdma.gids",
                     .text = "none of them is " + text(address.ip) + " after " + in_seconds(time)});
    }
    return out;
}

const ObjectRow& rdma_port() {
    return row_of(object_of("rdma.gids"));
}

/// Ports whose RDMA port has to find itself again, or for the first time.
Names with_new_gids(const Plan& plan) {
    Names names;
    for (const Step& step : plan.steps)
        if (std::ranges::find(rdma_port().follows, step.object) != rdma_port().follows.end())
            names.insert(step.port);
    return names;
}

}  // namespace

std::optional<Finding> await_link(Kernel& kernel, const Plan& plan, std::size_t next,
                                  std::chrono::milliseconds time, Recorder& recorder) {
    const Step& step = plan.steps[next];
    if (step.disruption < Disruption::link) return std::nullopt;
    Names names = disturbed(plan, next, Disruption::link);
    names.erase(step.port);
    if (names.empty()) return std::nullopt;
    std::vector<Finding> gone;
    read_until(kernel, scope_of(names, inventory()), time, [&](const State& now) {
        gone = without_carrier(names, now, time);
        if (!gone.empty()) recorder.waiting(gone.front());
        return gone.empty();
    });
    if (gone.empty()) return std::nullopt;
    return gone.front();
}

std::vector<Finding> await_all(Kernel& kernel, const Plan& plan, std::chrono::milliseconds time,
                               Recorder& recorder) {
    const Names links = disturbed(plan, plan.steps.size(), Disruption::queues);
    Names names = with_new_gids(plan);
    names.insert(links.begin(), links.end());
    std::vector<Finding> missed;
    if (names.empty()) return missed;
    Objects objects = inventory();
    objects.insert(rdma_port().object);
    objects.insert(rdma_port().follows.begin(), rdma_port().follows.end());
    const Scope scope = scope_of(names, objects);
    read_until(kernel, scope, time, [&](const State& now) {
        missed = without_carrier(links, now, time);
        for (const auto& more : {without_rdma(now, time), without_gid(now, time)})
            missed.insert(missed.end(), more.begin(), more.end());
        if (!missed.empty()) recorder.waiting(missed.front());
        return missed.empty();
    });
    return missed;
}

}  // namespace core
