// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include "core/objects/edit.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

using NeighbourEdit = Edit<Neighbour>;

const Neighbour* find_same(const std::vector<Neighbour>& neighbours, const Ip& ip) {
    const auto found = std::ranges::find(neighbours, ip, &Neighbour::ip);
    return found == neighbours.end() ? nullptr : &*found;
}

}  // namespace

/// The kernel's replace makes a learned entry permanent as well, and keeps what else it has.
std::vector<NeighbourEdit> neighbour_edits(const std::vector<Neighbour>& now,
                                           const std::vector<Neighbour>& then) {
    std::vector<NeighbourEdit> edits;
    for (const Neighbour& neighbour : now)
        if (neighbour.is_permanent() && find_same(then, neighbour.ip) == nullptr)
            edits.push_back({NeighbourEdit::Kind::remove, neighbour});
    for (const Neighbour& neighbour : then) {
        const Neighbour* old = find_same(now, neighbour.ip);
        if (neighbour.is_permanent() && (old == nullptr || !(*old == neighbour)))
            edits.push_back({NeighbourEdit::Kind::replace, neighbour});
    }
    return edits;
}

namespace {

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    for (const NeighbourEdit& edit : neighbour_edits(*now.neighbours, *then.neighbours)) {
        const Ip& ip = edit.entry.ip;
        if (edit.kind == NeighbourEdit::Kind::remove) {
            lose_neighbours(now, [&](const Ip& other) { return other == ip; });
            continue;
        }
        // net/ipv6/ndisc.c ndisc_constructor: no IPv6 on the port, no neighbours.
        if (ip.v6 && now.link && now.link->mtu < kIpv6Minimum)
            return Refusal{.code = EINVAL, .text = "Invalid argument"};
        std::erase_if(*now.neighbours, [&](const Neighbour& old) { return old.ip == ip; });
        now.neighbours->push_back(edit.entry);
    }
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const NeighbourEdit& edit : neighbour_edits(*now.neighbours, *then.neighbours)) {
        const bool remove = edit.kind == NeighbourEdit::Kind::remove;
        std::string line = remove ? "ip neighbour delete " : "ip neighbour replace ";
        line += text(edit.entry.ip);
        if (!remove) line += " lladdr " + edit.entry.mac;
        line += " dev " + now.name;
        if (!remove) line += " nud permanent";
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

constinit const ObjectRow neighbours_row = {
    .object = Object::neighbours,
    .name = "neighbours",
    .doc = "Permanent neighbours: hardware addresses that are not asked for.",
    .copy = copy<&Port::neighbours, &Port::neighbours_beyond>,
    .play = play,
    .spell = spell};

}  // namespace core
