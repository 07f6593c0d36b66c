// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// How the port comes to a speed with the other end of the link.

namespace core {
namespace {

/// None where several are offered; of a forced speed, none where the driver does not tell it:
/// most do only while there is a link.
template <auto Member>
Got get_choice(const Port& port) {
    if (!port.link_modes) return std::nullopt;
    const auto& choice = (*port.link_modes).*Member;
    return choice ? one(std::uint64_t{*choice}) : Elements{};
}

Got get_offered(const Port& port) {
    if (!port.link_modes) return std::nullopt;
    return Elements(port.link_modes->offered.begin(), port.link_modes->offered.end());
}

void set_offered(Port& port, const Elements& elements) {
    auto& offered = part_of<&Port::link_modes>(port).offered;
    offered.clear();
    for (const auto& [name, on] : elements)
        offered.emplace(name, std::get<bool>(on));
}

Got get_fec_modes(const Port& port) {
    if (!port.link_modes) return std::nullopt;
    Elements elements;
    for (const std::string& name : port.link_modes->fec)
        elements.emplace(name, name);
    return elements;
}

void set_fec_modes(Port& port, const Elements& elements) {
    auto& fec = part_of<&Port::link_modes>(port).fec;
    fec.clear();
    for (const auto& [name, value] : elements)
        fec.insert(name);
}

using enum Shape::Kind;
using Text = Shape::Text;
using enum Object;

constexpr std::array<std::string_view, 2> kDuplex = {"full", "half"};
constexpr std::array<std::string_view, 5> kFec = {"auto", "off", "rs", "baser", "llrs"};
constexpr std::array<std::string_view, 2> kModes = {"25000baseCR/Full", "100000baseCR4/Full"};

const std::array kRows = {
    setting("link.autoneg", link_modes, {.kind = flag},
            "The port negotiates the speed with the other end of the link.",
            get_flag<&Port::link_modes, &LinkModes::autoneg>,
            set_flag<&Port::link_modes, &LinkModes::autoneg>),
    setting("link.speed", link_modes, {.kind = number, .min = 1, .max = kU32},
            "The only speed that the port may have, in Mb/s: forced, or where it negotiates, the "
            "one it offers; absent where it offers several. What came of it is speed.",
            get_choice<&LinkModes::speed>, set_reported<&Port::link_modes, &LinkModes::speed>),
    setting("link.duplex", link_modes, {.kind = word, .words = kDuplex},
            "Duplex of the speed that is forced, or of every mode that is offered.",
            get_text<&Port::link_modes, &LinkModes::duplex>,
            set_text<&Port::link_modes, &LinkModes::duplex>),
    setting("link.lanes", link_modes, {.kind = number, .min = 1, .max = 8},
            "Lanes of the speed that is forced, where the driver tells them, or of every mode that "
            "is offered.",
            get_choice<&LinkModes::lanes>, set_reported<&Port::link_modes, &LinkModes::lanes>),
    kept("link.offered", link_modes, {.kind = named, .words = kModes, .of = &kFlag},
         "Link modes of the port, by the kernel's names, and whether it offers them to the other "
         "end.",
         get_offered, set_offered),
    fact("link.can_negotiate", link_modes, {.kind = flag}, "The port can negotiate a speed.",
         get_flag<&Port::link_modes, &LinkModes::can_negotiate>,
         set_flag<&Port::link_modes, &LinkModes::can_negotiate>),
    setting("link.fec", fec, {.kind = word, .words = kFec},
            "Forward error correction, the same at both ends: rs is Reed-Solomon, baser is "
            "Fire code, llrs is Reed-Solomon of low latency.",
            get_text<&Port::fec, &Fec::mode>, set_text<&Port::fec, &Fec::mode>),
    fact("link.fec_active", fec, {.kind = text}, "Forward error correction in use.",
         get_text<&Port::fec, &Fec::active>, set_text<&Port::fec, &Fec::active>),
    fact("link.fec_supported", link_modes, {.kind = items, .text = Text::name},
         "Forward error correction that the port tells it has.", get_fec_modes, set_fec_modes),
};

}  // namespace

std::span<const Field> link_mode_fields() {
    return kRows;
}

}  // namespace core
