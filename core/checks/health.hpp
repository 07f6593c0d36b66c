// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/checks/groups.hpp"
#include "core/checks/one_fault.hpp"
#include "core/model/object.hpp"

namespace core {

using Ids = std::string_view;

/// The value that a setting of the port should have, for Fault::fix.
[[nodiscard]] inline Desired fixed(const Port& port, std::string_view key, Value value,
                                   std::string element = "") {
    return {.port = port.name,
            .field = find_field(key),
            .element = std::move(element),
            .value = std::move(value)};
}

/// One fault and the value that fixes it.
[[nodiscard]] inline Faults fault(std::string text, Desired fix) {
    return {Fault{.text = std::move(text), .fix = {std::move(fix)}}};
}

/// The value that most other ports of the fabric with the same driver have, if at least three
/// agree; an empty one if not. A port that differs from its siblings was probably not meant to.
template <typename Get>
auto usual(const Evidence& evidence, Get get) -> decltype(get(std::declval<const Port&>())) {
    using Held = decltype(get(std::declval<const Port&>()));
    std::vector<std::pair<Held, unsigned>> votes;
    for (const Port* port : evidence.fabric_ports) {
        if (port == evidence.now || !port->device || !evidence.now->device ||
            port->device->driver != evidence.now->device->driver)
            continue;
        const Held held = get(*port);
        if (!held) continue;
        const auto known = std::ranges::find(votes, held, &std::pair<Held, unsigned>::first);
        if (known == votes.end())
            votes.emplace_back(held, 1);
        else
            ++known->second;
    }
    constexpr unsigned enough = 3;
    const auto most = std::ranges::max_element(votes, {}, &std::pair<Held, unsigned>::second);
    return most == votes.end() || most->second < enough ? Held{} : most->first;
}

/// Whether the profile asks for this value.
[[nodiscard]] inline bool is_desired(const Evidence& evidence, std::string_view key,
                                     const Value& value) {
    const Desired* desired = find_desired(evidence, key);
    return desired != nullptr && desired->value == value;
}

/// `3, 4` for a bit mask of priorities; `none` for an empty one.
std::string priorities_text(std::uint8_t priorities);

/// Whether VLANs on the port or on its bond set the priority in their tags (egress_priority).
bool has_tags(const HostIndex& index, const Port& port);
/// The priorities in those tags for packets with this ToS, as a bit mask.
std::uint8_t tagged_priorities(const HostIndex& index, const Port& port, unsigned tos);

/// What sends by the RDMA device of the port under examination, the port first:
/// HostIndex::senders_by without netdevs that are examined as ports of the fabric themselves. Where
/// its bond is such a port, that leaves out the bond and the VLANs on it.
std::vector<const Port*> senders_of(const Evidence& evidence);

/// The port's addresses at which other hosts can reach it.
std::vector<Address> reachable_addresses(const Port& port);

}  // namespace core
