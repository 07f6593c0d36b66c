// SPDX-License-Identifier: Apache-2.0
#include "core/profile/asked_roce.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/model/object.hpp"
#include "core/profile/reference.hpp"

namespace core {
namespace {

void note_no_roce(const PortDesired& all, std::vector<Finding>& findings) {
    const auto& rdma = all.port->rdma_link;
    const bool by_hand = std::ranges::any_of(all.desired_values, [](const Desired& desired) {
        return row_of(desired.field->object).topic == Topic::dcb;
    });
    if (!rdma || rdma->device.empty() || by_hand || all.desired_values.empty()) return;
    findings.push_back({.id = findings::no_roce,
                        .port = all.port->name,
                        .key = "roce",
                        .text = "the port has the RDMA device " + rdma->device +
                                ", and the profile has no roce for it",
                        .remedy = "state roce, or roce null where that is meant"});
}

}  // namespace

void AskedRoce::ask(const Entry& entry, const Node& settings, const std::string& pointer,
                    const Bindings& here) {
    OfPort& asked = ports_[here.port];
    if (here.index) asked.index = here.index;
    if (const Node* own = settings.find("roce"))
        asked.own.push_back({*own, pointer_to(pointer, "roce")});
    asked.optional.insert(entry.optional.begin(), entry.optional.end());
    asked.external.insert(entry.external.begin(), entry.external.end());
    if (asked.pointer.empty()) asked.pointer = pointer;
}

void AskedRoce::derive(PortDesired& all, Bindings here, Problems& problems,
                       std::vector<Finding>& findings) const {
    const auto found = ports_.find(all.port->name);
    if (found == ports_.end()) return;
    const OfPort& asked = found->second;
    if (whole_ == nullptr && asked.own.empty()) note_no_roce(all, findings);
    const std::optional<Node> roce = joint_roce(whole_, asked.own);
    if (!roce) return;
    here.port = all.port->name;
    here.index = asked.index;
    const std::string at = asked.own.size() == 1 ? asked.own.front().pointer : "/roce";
    all.intent = read_intent(substitute(*roce, here, at, problems), at, problems);
    std::ranges::move(roce_conflicts(all.port->name, asked.own), std::back_inserter(findings));
    if (!all.intent) return;
    DesiredValues out{.desired_values = std::move(all.desired_values),
                      .exact = std::move(all.exact)};
    add_derived(*all.intent, driver_of(*all.port), asked.optional, asked.external, out);
    for (Desired& desired : out.desired_values)
        if (desired.port.empty()) desired.origin.pointer = asked.pointer;
    all.desired_values.clear();
    all.exact.clear();
    add(std::move(out), all);
}

}  // namespace core
