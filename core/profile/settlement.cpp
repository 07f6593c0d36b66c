// SPDX-License-Identifier: Apache-2.0
#include "core/profile/settlement.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/profile/offline_checks.hpp"

namespace core {
namespace {

/// Where the wish for an element is among the others.
using Places = std::map<std::pair<const Field*, std::string>, std::size_t>;

/// The stated ones come first, and what is derived gives way to them.
void add_wish(Wish wish, const std::string& port, Places& places, Wishes& out) {
    const auto [place, fresh] = places.try_emplace({wish.field, wish.element}, out.wishes.size());
    if (fresh) {
        out.wishes.push_back(std::move(wish));
        return;
    }
    Wish* const same = &out.wishes[place->second];
    if (is_derived(wish.origin) && !is_derived(same->origin)) return;
    if (same->value == wish.value && same->accepted == wish.accepted) {
        same->optional = same->optional && wish.optional;
        same->external = same->external || wish.external;
        same->required = same->required || wish.required;
        return;
    }
    Finding finding =
        conflict(port, std::string(wish.field->key), said_in(*same, port), said_in(wish, port));
    finding.element = wish.element;
    out.findings.push_back(std::move(finding));
}

/// By their fields, and of one field as they come. Wishes are large: each is moved once.
std::vector<Wish> by_field(std::vector<Wish> wishes) {
    std::vector<Wish*> order;
    for (Wish& wish : wishes)
        order.push_back(&wish);
    std::ranges::stable_sort(order, {}, [](const Wish* wish) { return wish->field; });
    std::vector<Wish> out;
    out.reserve(wishes.size());
    for (Wish* wish : order)
        out.push_back(std::move(*wish));
    return out;
}

/// What the wishes cannot all mean.
void check_consistency(const PortWishes& all, Wishes& out) {
    for (const Fault& fault :
         inconsistencies(out.wishes, all.intent, all.fabric, driver_of(*all.port)))
        out.findings.push_back({.id = *fault.row,
                                .port = all.port->name,
                                .key = std::string(fault.at->field->key),
                                .element = fault.at->element,
                                .text = text(fault.at->origin) + ": " + fault.text,
                                .remedy = fault.remedy,
                                .origin = fault.at->origin});
}

/// Nobody but a person can tell which of two RDMA devices is meant.
void check_device(const PortWishes& all, Wishes& out) {
    const auto& rdma = all.port->rdma_link;
    if (!rdma) return;
    const auto failure = [&](std::string text, std::string remedy) {
        out.findings.push_back({.id = findings::rdma_device,
                                .port = all.port->name,
                                .key = "rdma.device",
                                .text = std::move(text),
                                .remedy = std::move(remedy)});
    };
    const bool wished = std::ranges::any_of(out.wishes, [](const Wish& wish) {
        return wish.field->key.starts_with("rdma.") && wish.field->key != "rdma.link";
    });
    std::string devices = rdma->device;
    for (const std::string& other : rdma->others)
        devices += ", " + other;
    const Said& meant = all.rdma_device;
    if (meant.value.empty()) {
        if (wished && !rdma->others.empty())
            failure("the port has more than one RDMA device (" + devices + ")",
                    "state rdma.device");
    } else if (!rdma->device.empty() && meant.value != rdma->device) {
        failure(text(meant.origin) + " wishes " + meant.value +
                    ", but settings of this port go to " + rdma->device,
                "state rdma.device " + rdma->device);
    }
}

/// A collection that is stated to be exact is so for every value.
void add_exact(const PortWishes& all, Wishes& out) {
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

Wishes settlement(PortWishes all) {
    const std::string& port = all.port->name;
    Wishes out{.ports = {port}};
    Places places;
    out.wishes.reserve(all.wishes.size());
    for (const bool derived : {false, true})
        for (Wish& wish : all.wishes)
            if (is_derived(wish.origin) == derived) add_wish(std::move(wish), port, places, out);
    out.wishes = by_field(std::move(out.wishes));
    check_consistency(all, out);
    check_device(all, out);
    for (Wish& wish : out.wishes)
        wish.port = port;
    add_exact(all, out);
    return out;
}

}  // namespace core
