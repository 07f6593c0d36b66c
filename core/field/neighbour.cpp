// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// Neighbours: which hardware address an IP on the link has.

namespace core {
namespace {

Got get_permanent(const Port& port) {
    if (!port.neighbours) return std::nullopt;
    Elements elements;
    for (const Neighbour& neighbour : *port.neighbours)
        if (neighbour.is_permanent())
            elements.emplace(text(neighbour.ip),
                             Record{{"ip", text(neighbour.ip)}, {"mac", neighbour.mac}});
    return elements;
}

/// A stated entry takes the place of a learned one.
void set_permanent(Port& port, const Elements& elements) {
    auto& neighbours = part_of<&Port::neighbours>(port);
    std::erase_if(neighbours, [&](const Neighbour& old) {
        return old.is_permanent() || elements.contains(text(old.ip));
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
        Record record{{"ip", text(neighbour.ip)}, {"state", neighbour.state}};
        if (!neighbour.mac.empty()) record.emplace("mac", neighbour.mac);
        elements.emplace(text(neighbour.ip), std::move(record));
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
        elements.emplace(text(beyond.ip) + ' ' + beyond.what,
                         Record{{"ip", text(beyond.ip)}, {"what", beyond.what}});
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
    if (const auto ip = parse_ip(text_part(out, "ip"))) out["ip"] = text(*ip);
    return out;
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array<std::string_view, 7> kStates = {
    "incomplete", "reachable", "stale", "delay", "probe", "failed", "extern_learn"};
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
constexpr std::array kBeyondParts = {
    kIp,
    RecordPart{.name = "what",
               .shape = {.kind = text},
               .doc = "What it has beside, as ip(8) names it.",
               .required = true,
               .identity = true},
};

using enum Object;

const std::array kRows = {
    setting("neighbours", neighbours,
            {.kind = items, .parts = kPermanentParts, .canonical = canonical_neighbour},
            "Hardware addresses of IPs on the link that are not asked for: permanent neighbours.",
            get_permanent, set_permanent),
    fact("neighbours_learned", neighbours,
         {.kind = items, .parts = kLearnedParts, .canonical = canonical_neighbour},
         "Neighbours that the kernel found itself, or looks for.", get_learned, set_learned),
    beyond("neighbours_beyond", neighbours,
           {.kind = items, .parts = kBeyondParts, .canonical = canonical_neighbour},
           "What permanent neighbours have that no setting holds; it goes with the neighbour for "
           "good.",
           get_beyond, set_beyond),
};

}  // namespace

std::span<const Field> neighbour_fields() {
    return kRows;
}

}  // namespace core
