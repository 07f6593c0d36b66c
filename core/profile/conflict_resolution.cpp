// SPDX-License-Identifier: Apache-2.0
#include "core/profile/conflict_resolution.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/profile/offline_checks.hpp"

namespace core {
namespace {

/// Where the desired value for an element is among the others.
using Places = std::map<std::pair<const Field*, std::string>, std::size_t>;

/// The stated ones come first, and what is derived gives way to them.
void add_desired(Desired desired, const std::string& port, Places& places, DesiredState& out) {
    const auto [place, fresh] =
        places.try_emplace({desired.field, desired.element}, out.desired_values.size());
    if (fresh) {
        out.desired_values.push_back(std::move(desired));
        return;
    }
    Desired* const same = &out.desired_values[place->second];
    if (is_derived(desired.origin) && !is_derived(same->origin)) return;
    if (same->value == desired.value && same->accepted == desired.accepted) {
        same->optional = same->optional && desired.optional;
        same->external = same->external || desired.external;
        same->required = same->required || desired.required;
        return;
    }
    Finding finding = conflict(port, std::string(desired.field->key), said_in(*same, port),
                               said_in(desired, port));
    finding.element = desired.element;
    out.findings.push_back(std::move(finding));
}

/// By their fields, and of one field as they come. Desired values are large: each is moved once.
std::vector<Desired> by_field(std::vector<Desired> desired_values) {
    std::vector<Desired*> order;
    for (Desired& desired : desired_values)
        order.push_back(&desired);
    std::ranges::stable_sort(order, {}, [](const Desired* desired) { return desired->field; });
    std::vector<Desired> out;
    out.reserve(desired_values.size());
    for (Desired* desired : order)
        out.push_back(std::move(*desired));
    return out;
}

/// What the desired values cannot all mean.
void check_consistency(const PortDesired& all, DesiredState& out) {
    for (const Fault& fault :
         inconsistencies(out.desired_values, all.intent, all.fabric, driver_of(*all.port)))
        out.findings.push_back({.id = *fault.row,
                                .port = all.port->name,
                                .key = std::string(fault.at->field->key),
                                .element = fault.at->element,
                                .text = text(fault.at->origin) + ": " + fault.text,
                                .remedy = fault.remedy,
                                .origin = fault.at->origin});
}

/// Nobody but a person can tell which of two RDMA devices is meant.
void check_device(const PortDesired& all, DesiredState& out) {
    const auto& rdma = all.port->rdma_link;
    if (!rdma) return;
    const auto failure = [&](std::string text, std::string remedy) {
        out.findings.push_back({.id = findings::rdma_device,
                                .port = all.port->name,
                                .key = "rdma.device",
                                .text = std::move(text),
                                .remedy = std::move(remedy)});
    };
    const bool all_desired = std::ranges::any_of(out.desired_values, [](const Desired& desired) {
        return desired.field->key.starts_with("rdma.") && desired.field->key != "rdma.link";
    });
    std::string devices = rdma->device;
    for (const std::string& other : rdma->others)
        devices += ", " + other;
    const Said& meant = all.rdma_device;
    if (meant.value.empty()) {
        if (all_desired && !rdma->others.empty())
            failure("the port has more than one RDMA device (" + devices + ")",
                    "state rdma.device");
    } else if (!rdma->device.empty() && meant.value != rdma->device) {
        failure(text(meant.origin) + " states " + meant.value +
                    ", but settings of this port go to " + rdma->device,
                "state rdma.device " + rdma->device);
    }
}

/// A collection that is stated to be exact is so for every value.
void add_exact(const PortDesired& all, DesiredState& out) {
    for (const Exact& exact : all.exact) {
        const bool covered = std::ranges::any_of(all.exact, [&](const Exact& other) {
            return other.field == exact.field && !other.only && exact.only;
        });
        const bool again = std::ranges::any_of(out.exact, [&](const Exact& other) {
            return other.field == exact.field && other.only == exact.only;
        });
        if (covered || again) continue;
        out.exact.push_back(exact);
        out.exact.back().port = all.port->name;
    }
}

}  // namespace

DesiredState conflict_resolution(PortDesired all) {
    const std::string& port = all.port->name;
    DesiredState out{.ports = {port}};
    Places places;
    out.desired_values.reserve(all.desired_values.size());
    for (const bool derived : {false, true})
        for (Desired& desired : all.desired_values)
            if (is_derived(desired.origin) == derived)
                add_desired(std::move(desired), port, places, out);
    out.desired_values = by_field(std::move(out.desired_values));
    check_consistency(all, out);
    check_device(all, out);
    for (Desired& desired : out.desired_values)
        desired.port = port;
    add_exact(all, out);
    return out;
}

}  // namespace core
