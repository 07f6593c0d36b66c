// SPDX-License-Identifier: Apache-2.0
#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/planner.hpp"

// Desired values that are planned after a stage: after a reload, a new bond, or the loading of a
// module.

namespace core {

/// Whether the desired value's element is missing and may come with a module that the plan loads.
/// Which module brings a kernel parameter is not known; the NIC's RDMA module brings its RDMA
/// device.
bool Planner::comes_with_module(const Reading& now, const Desired& desired) const {
    const ObjectRow& row = row_of(desired.field->object);
    const Port& port = now.port();
    if (loaded_.empty()) return false;
    if (row.lifecycle.with_module != nullptr)
        return now.element(*desired.field, desired.element) == nullptr &&
               is_recorded(now, *desired.field, desired.element) &&
               row.lifecycle.with_module(desired.element);
    return !rdma_link::has_device(port) && rdma_link::hangs_on_device(row) &&
           loaded_.contains(driver_of(port).rdma_software.module);
}

/// Whether the desired value is left for the plan after this stage. What needs the RDMA device may
/// come with it.
bool Planner::waits(const Reading& now, std::size_t index) const {
    const Desired& desired = desired_values_[index];
    if (comes_with_module(now, desired)) return true;
    const bool staged = staged_.contains(now.port().name);
    if (!staged && !awaiting_.contains(now.port().name)) return false;
    return rdma_link::hangs_on_device(row_of(desired.field->object)) ||
           (staged && reachable(now, desired));
}

std::size_t Planner::waiting_at(const Reading& now) const {
    std::size_t count = 0;
    for (const std::size_t i : index_.of(now.port().name))
        if (!abandoned_[i] && !met(now, i) && waits(now, i)) ++count;
    return count;
}

/// Reports what may come with the modules that the plan loads.
void Planner::report_modules() {
    if (loaded_.empty()) return;
    std::size_t count = 0;
    for (const std::string& name : plan_.ports) {
        const Port* port = find_port(predicted_, name);
        if (port == nullptr) continue;
        const Reading now = *port;
        for (const std::size_t i : index_.of(name))
            if (!abandoned_[i] && !met(now, i) && comes_with_module(now, desired_values_[i]))
                ++count;
    }
    if (count == 0) return;
    plan_.findings.push_back({.id = findings::stage,
                              .port = std::string(kHost),
                              .text = "what the modules bring cannot be foretold: apply loads them "
                                      "and then plans the rest, " +
                                      std::to_string(count) + " desired values"});
}

/// Reports what needs the RDMA device that the port gets by itself.
void Planner::report_awaited(const std::string& name) {
    const std::size_t count = waiting_at(*find_port(predicted_, name));
    if (count == 0) return;
    plan_.findings.push_back({.id = findings::stage,
                              .port = name,
                              .text = "the RDMA device comes by itself once the members are there, "
                                      "and cannot be foretold: apply waits for it and then plans "
                                      "the rest, " +
                                      std::to_string(count) + " desired values"});
}

/// Reports what is left for a port that cannot be predicted after a step.
void Planner::report_stage(const std::string& name) {
    const std::size_t count = waiting_at(*find_port(predicted_, name));
    plan_.findings.push_back({.id = findings::stage,
                              .port = name,
                              .text = "what the port is after the reload cannot be foretold: apply "
                                      "then plans the rest, " +
                                      std::to_string(count) +
                                      " desired values and what the reload took away"});
}

}  // namespace core
