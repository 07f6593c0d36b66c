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

/// The value that a setting of the port should have.
[[nodiscard]] inline Desired fixed(const Port& port, std::string_view key, Value value,
                                   std::string element = "") {
    return {.port = port.name,
            .field = find_field(key),
            .element = std::move(element),
            .value = std::move(value)};
}

/// A fault with the value that fixes it.
[[nodiscard]] inline Faults fault(std::string text, Desired fix) {
    return {Fault{.text = std::move(text), .fix = {std::move(fix)}}};
}

/// The value that most other ports of the fabric with the same driver have, where three or more
/// agree. A port that differs from its siblings differs from what somebody meant.
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

/// Whether the profile says that it should be as it is.
[[nodiscard]] inline bool is_desired(const Evidence& evidence, std::string_view key,
                                     const Value& value) {
    const Desired* desired = find_desired(evidence, key);
    return desired != nullptr && desired->value == value;
}

/// `3, 4`, of the bits of priorities; `none`.
std::string priorities_text(std::uint8_t priorities);

/// Whether VLANs on the port, or on its bond, put priorities into tags (egress_priority).
bool has_tags(const HostIndex& index, const Port& port);
/// The priorities that these tags have on packets with the ToS, as bits.
std::uint8_t tagged_priorities(const HostIndex& index, const Port& port, unsigned tos);

/// What sends by the RDMA device of the port that is looked at, it itself first, without what is
/// looked at by itself: where its bond is a port of the fabric too, the bond and the VLANs on that.
std::vector<const Port*> senders_of(const Evidence& evidence);

/// Addresses that others can reach the port by.
std::vector<Address> reachable_addresses(const Port& port);

}  // namespace core
