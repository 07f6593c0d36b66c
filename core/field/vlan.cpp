// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// VLAN children: that a port is one, and which priorities its tags carry.

namespace core {
namespace {

Got get_link(const Port& port) {
    if (!port.vlan) return std::nullopt;
    if (port.vlan->parent.empty()) return Elements{};
    return one(Record{{"parent", port.vlan->parent}, {"id", std::uint64_t{port.vlan->id}}});
}

void set_link(Port& port, const Elements& elements) {
    Vlan& vlan = part_of<&Port::vlan>(port);
    const auto record = plain<Record>(elements);
    if (record.empty()) vlan = {};
    vlan.parent = text_part(record, "parent");
    vlan.id = static_cast<std::uint16_t>(number_part(record, "id"));
}

/// What is no VLAN has no map.
template <auto Map>
Got get_map(const Port& port) {
    if (!port.vlan) return std::nullopt;
    if (port.vlan->parent.empty() && ((*port.vlan).*Map).empty()) return std::nullopt;
    Elements elements;
    for (const auto& [from, to] : (*port.vlan).*Map)
        elements.emplace(std::to_string(from), std::uint64_t{to});
    return elements;
}

template <auto Map>
void set_map(Port& port, const Elements& elements) {
    auto& map = part_of<&Port::vlan>(port).*Map;
    using Pairs = std::remove_reference_t<decltype(map)>;
    map.clear();
    for (const auto& [from, to] : elements)
        map.emplace(static_cast<typename Pairs::key_type>(std::strtoul(from.c_str(), nullptr, 10)),
                    static_cast<typename Pairs::mapped_type>(std::get<std::uint64_t>(to)));
}

using enum Shape::Kind;
using Text = Shape::Text;
using enum Object;

constexpr std::array kLinkParts = {
    RecordPart{.name = "parent",
               .shape = {.kind = text, .text = Text::name},
               .doc = "Port below.",
               .required = true},
    RecordPart{.name = "id",
               .shape = {.kind = number, .min = 1, .max = 4094},
               .doc = "VLAN id.",
               .required = true},
};

const std::array kRows = {
    kept("vlan_link", vlan, {.kind = record, .parts = kLinkParts},
         "The port is a VLAN child of another one; stated as vlans in the entry of that one.",
         get_link, set_link),
    setting("egress_priority", vlan, {.kind = map, .min = 1, .max = 7, .key_max = kU32},
            "PCP (IEEE 802.1Q 6.9.3) that packets of each priority leave a VLAN with; 0 where not "
            "mapped.",
            get_map<&Vlan::egress>, set_map<&Vlan::egress>),
    setting("ingress_priority", vlan, {.kind = map, .min = 1, .max = kU32, .key_max = 7},
            "Priority that packets get by the PCP they enter a VLAN with; 0 where not mapped.",
            get_map<&Vlan::ingress>, set_map<&Vlan::ingress>),
};

}  // namespace

std::span<const Field> vlan_fields() {
    return kRows;
}

}  // namespace core
