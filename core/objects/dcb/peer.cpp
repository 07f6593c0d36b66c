// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/bits.hpp"
#include "core/objects/rows.hpp"

namespace core::peer {

namespace {

Got get_pfc(const Port& port) {
    if (!port.peer || !port.peer->pfc) return std::nullopt;
    Numbers priorities;
    for (std::uint64_t priority = 0; priority < kPriorities; ++priority)
        if (((unsigned{*port.peer->pfc} >> priority) & 1U) != 0) priorities.push_back(priority);
    return one(priorities);
}

void set_pfc(Port& port, const Elements& elements) {
    unsigned mask = 0;
    for (const std::uint64_t priority : plain<Numbers>(elements))
        mask |= bit_of(priority);
    part_of<&Port::peer>(port).pfc = static_cast<std::uint8_t>(mask);
}

template <auto Member>
Got get_list(const Port& port) {
    if (!port.peer || !((*port.peer).*Member)) return std::nullopt;
    const auto& list = *((*port.peer).*Member);
    return one(Numbers(list.begin(), list.end()));
}

template <auto Member>
void set_list(Port& port, const Elements& elements) {
    auto& list = (part_of<&Port::peer>(port).*Member).emplace();
    const auto numbers = plain<Numbers>(elements);
    for (std::size_t i = 0; i < std::min(numbers.size(), list.size()); ++i)
        list.at(i) = static_cast<std::uint8_t>(numbers[i]);
}

using enum Shape::Kind;

constexpr std::array<std::string_view, 2> kVersions = {"ieee", "cee"};

constexpr std::array kFields = {
    fact("peer.version", {.kind = word, .words = kVersions},
         "The version of DCBX in which the other end advertises what follows: ieee, or cee of "
         "before "
         "2011.",
         get_text<&Port::peer, &Peer::version>, set_text<&Port::peer, &Peer::version>),
    fact("peer.pfc", {.kind = set, .max = 7},
         "Priorities that the other end advertises as lossless, where the driver tells them.",
         get_pfc, set_pfc),
    fact("peer.traffic_class", {.kind = list, .max = 7},
         "Traffic class of each priority at the other end; in cee its priority group.",
         get_list<&Peer::traffic_class>, set_list<&Peer::traffic_class>),
    fact("peer.bandwidth", {.kind = list, .max = 255},
         "Share of each traffic class or group at the other end, in percent.",
         get_list<&Peer::bandwidth>, set_list<&Peer::bandwidth>),
    fact("peer.app", {.kind = items, .text = Shape::Text::line},
         "What the other end advertises of applications and their priorities, such as dgram 4791: "
         "3.",
         get_listed<&Port::peer, &Peer::app>, set_listed<&Port::peer, &Peer::app>),
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::peer,
    .name = "peer",
    .doc = "What the other end of the link advertises.",
    .topic = Topic::dcb,
    .lives = Lives::hardware,
    .fields = kFields,
    .read = {.intents = true, .on_demand = true},
    .words = {.unsupported = "the driver does not tell what the other end advertises"}};

}  // namespace core::peer
