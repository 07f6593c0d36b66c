// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/long_lists.hpp"
#include "core/objects/rows.hpp"

namespace core::neighbours {

namespace {

Got get_permanent(const Port& port) {
    if (!port.neighbours) return std::nullopt;
    Elements elements;
    for (const Neighbour& neighbour : *port.neighbours)
        if (neighbour.is_permanent())
            elements.emplace(core::text(neighbour.ip),
                             Record{{"ip", core::text(neighbour.ip)}, {"mac", neighbour.mac}});
    return elements;
}

/// A stated entry takes the place of a learned one.
void set_permanent(Port& port, const Elements& elements) {
    auto& neighbours = part_of<&Port::neighbours>(port);
    std::erase_if(neighbours, [&](const Neighbour& old) {
        return old.is_permanent() || elements.contains(core::text(old.ip));
    });
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        neighbours.push_back({.ip = parse_ip(text_part(record, "ip")).value_or(Ip{}),
                              .mac = text_part(record, "mac")});
    }
}

Got get_learned(const Port& port) {
    if (!port.neighbours) return std::nullopt;
    Elements elements;
    for (const Neighbour& neighbour : *port.neighbours) {
        if (neighbour.is_permanent()) continue;
        Record record{{"ip", core::text(neighbour.ip)}, {"state", neighbour.state}};
        if (!neighbour.mac.empty()) record.emplace("mac", neighbour.mac);
        elements.emplace(core::text(neighbour.ip), std::move(record));
    }
    return elements;
}

void set_learned(Port& port, const Elements& elements) {
    auto& neighbours = part_of<&Port::neighbours>(port);
    std::erase_if(neighbours, [](const Neighbour& old) { return !old.is_permanent(); });
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        neighbours.push_back({.ip = parse_ip(text_part(record, "ip")).value_or(Ip{}),
                              .mac = text_part(record, "mac"),
                              .state = text_part(record, "state")});
    }
}

Got get_beyond(const Port& port) {
    if (!port.neighbours) return std::nullopt;
    Elements elements;
    for (const AddressBeyond& beyond : port.neighbours_beyond)
        elements.emplace(core::text(beyond.ip) + ' ' + beyond.what,
                         Record{{"ip", core::text(beyond.ip)}, {"what", beyond.what}});
    return elements;
}

void set_beyond(Port& port, const Elements& elements) {
    part_of<&Port::neighbours>(port);
    port.neighbours_beyond.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.neighbours_beyond.push_back({.ip = parse_ip(text_part(record, "ip")).value_or(Ip{}),
                                          .what = text_part(record, "what")});
    }
}

/// The IP as a read spells it.
Value canonical_neighbour(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    if (record == nullptr) return value;
    Record out = *record;
    if (const auto ip = parse_ip(text_part(out, "ip"))) out["ip"] = core::text(*ip);
    return out;
}

constexpr std::array<std::string_view, 7> kStates = {
    "incomplete", "reachable", "stale", "delay", "probe", "failed", "extern_learn"};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr RecordPart kIp{.name = "ip",
                         .shape = {.kind = text, .text = Text::ip},
                         .doc = "Address on the link.",
                         .required = true,
                         .identity = true};

constexpr std::array kPermanentParts = {
    kIp,
    RecordPart{.name = "mac",
               .shape = {.kind = text, .text = Text::mac},
               .doc = "Its hardware address.",
               .required = true},
};

constexpr std::array kLearnedParts = {
    kIp,
    RecordPart{.name = "mac",
               .shape = {.kind = text, .text = Text::any},
               .doc = "Its hardware address, where there was an answer."},
    RecordPart{.name = "state",
               .shape = {.kind = word, .words = kStates},
               .doc = "How sure the kernel is, as ip-neighbour(8) names it.",
               .required = true},
};

constexpr std::array kBeyondParts = {kIp, kWhat};

constexpr std::array kFields = {
    with(kLong, setting("neighbours",
                        {.kind = items, .parts = kPermanentParts, .canonical = canonical_neighbour},
                        "Hardware addresses of IPs on the link that are not asked for: permanent "
                        "neighbours.",
                        get_permanent, set_permanent)),
    with(kLongLearned,
         fact("neighbours_learned",
              {.kind = items, .parts = kLearnedParts, .canonical = canonical_neighbour},
              "Neighbours that the kernel found itself, or looks for.", get_learned, set_learned)),
    beyond("neighbours_beyond",
           {.kind = items, .parts = kBeyondParts, .canonical = canonical_neighbour},
           "What permanent neighbours have that no setting holds; it goes with the neighbour for "
           "good.",
           get_beyond, set_beyond),
};

}  // namespace

void lose(Port& port, const std::function<bool(const Ip&)>& gone) {
    if (!port.neighbours) return;
    std::erase_if(*port.neighbours, [&](const Neighbour& old) { return gone(old.ip); });
    std::erase_if(port.neighbours_beyond,
                  [&](const NeighbourBeyond& beyond) { return gone(beyond.ip); });
}

namespace {

using NeighbourEdit = Edit<Neighbour>;

/// The first of each IP.
std::map<Ip, const Neighbour*> by_ip(const std::vector<Neighbour>& neighbours) {
    std::map<Ip, const Neighbour*> out;
    for (const Neighbour& neighbour : neighbours)
        out.emplace(neighbour.ip, &neighbour);
    return out;
}

}  // namespace

/// The kernel's replace makes a learned entry permanent as well, and keeps what else it has.
std::vector<NeighbourEdit> edits(const std::vector<Neighbour>& now,
                                 const std::vector<Neighbour>& then) {
    std::vector<NeighbourEdit> edits;
    const std::map<Ip, const Neighbour*> before = by_ip(now);
    const std::map<Ip, const Neighbour*> after = by_ip(then);
    for (const Neighbour& neighbour : now)
        if (neighbour.is_permanent() && !after.contains(neighbour.ip))
            edits.push_back({NeighbourEdit::Kind::remove, neighbour});
    for (const Neighbour& neighbour : then) {
        const auto old = before.find(neighbour.ip);
        if (neighbour.is_permanent() && (old == before.end() || !(*old->second == neighbour)))
            edits.push_back({NeighbourEdit::Kind::replace, neighbour});
    }
    return edits;
}

namespace {

Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    const std::vector<NeighbourEdit> messages = edits(*now.neighbours, *then.neighbours);
    std::set<Ip> removed;
    std::set<Ip> replaced;
    for (const NeighbourEdit& edit : messages) {
        const Ip& ip = edit.entry.ip;
        const bool remove = edit.kind == NeighbourEdit::Kind::remove;
        // net/ipv6/ndisc.c ndisc_constructor: no IPv6 on the port, no neighbours.
        if (!remove && ip.v6 && now.link && now.link->mtu < link::kIpv6Minimum)
            return Refusal{.code = EINVAL, .text = "Invalid argument"};
        (remove ? removed : replaced).insert(ip);
    }
    lose(now, [&](const Ip& ip) { return removed.contains(ip); });
    std::erase_if(*now.neighbours, [&](const Neighbour& old) { return replaced.contains(old.ip); });
    for (const NeighbourEdit& edit : messages)
        if (edit.kind != NeighbourEdit::Kind::remove) now.neighbours->push_back(edit.entry);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const NeighbourEdit& edit : edits(*now.neighbours, *then.neighbours)) {
        const bool remove = edit.kind == NeighbourEdit::Kind::remove;
        std::string line = remove ? "ip neighbour delete " : "ip neighbour replace ";
        line += core::text(edit.entry.ip);
        if (!remove) line += " lladdr " + shell(edit.entry.mac);
        line += " dev " + shell(now.name);
        if (!remove) line += " nud permanent";
        lines.push_back(std::move(line));
    }
    return lines;
}

constexpr std::array kAtBoot = {
    AtBoot{"neighbours", BootProgram::networkd, "Neighbor.*", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::neighbours,
    .name = "neighbours",
    .doc = "Permanent neighbours: hardware addresses that are not asked for.",
    .topic = Topic::ip,
    .child_states = true,
    .fields = kFields,
    .play = play,
    .chosen_by = {.others = Others::network_daemon},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::neighbours
