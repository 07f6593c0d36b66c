// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// The port itself: its driver, link state, MTU, speed and pause.

namespace core {
namespace {

Got get_vlan(const Port& port) {
    if (!port.link) return std::nullopt;
    return port.link->vlan ? one(std::uint64_t{*port.link->vlan}) : Elements{};
}

void set_vlan(Port& port, const Elements& elements) {
    auto& vlan = part_of<&Port::link>(port).vlan;
    vlan.reset();
    if (!elements.empty()) vlan = static_cast<std::uint16_t>(plain<std::uint64_t>(elements));
}

Got get_speed(const Port& port) {
    if (!port.speed) return std::nullopt;
    return one(std::uint64_t{*port.speed});
}

void set_speed(Port& port, const Elements& elements) {
    port.speed = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

using enum Shape::Kind;
using Text = Shape::Text;
using enum Object;

constexpr std::array<std::string_view, 2> kOwners = {"NetworkManager", "lldpad"};
constexpr Shape kEvidence = {.kind = text};

const std::array kRows = {
    fact("driver", device, {.kind = text}, "Kernel driver of the port.",
         get_text<&Port::device, &Device::driver>, set_text<&Port::device, &Device::driver>),
    fact("firmware", device, {.kind = text}, "Firmware version the driver reports.",
         get_text<&Port::device, &Device::firmware>, set_text<&Port::device, &Device::firmware>),
    fact("mac", link, {.kind = text, .text = Text::mac}, "Hardware address.",
         get_text<&Port::link, &Link::mac>, set_text<&Port::link, &Link::mac>),
    fact("pci", link, {.kind = text, .text = Text::pci}, "PCI address of the NIC function.",
         get_text<&Port::link, &Link::pci>, set_text<&Port::link, &Link::pci>),
    fact("kind", link, {.kind = text}, "Kind of a virtual device: vlan, bond, veth.",
         get_text<&Port::link, &Link::kind>, set_text<&Port::link, &Link::kind>),
    fact("master", link, {.kind = text}, "Bond or bridge that the port is a member of.",
         get_text<&Port::link, &Link::master>, set_text<&Port::link, &Link::master>),
    fact("master_kind", link, {.kind = text}, "What the port is a member of: bond, bridge, vrf.",
         get_text<&Port::link, &Link::master_kind>, set_text<&Port::link, &Link::master_kind>),
    fact("lower", link, {.kind = text}, "Device that a VLAN runs on.",
         get_text<&Port::link, &Link::lower>, set_text<&Port::link, &Link::lower>),
    fact("vlan", link, {.kind = number, .max = 4094}, "VLAN id.", get_vlan, set_vlan),
    setting("up", link, {.kind = flag}, "The port is administratively up.",
            get_flag<&Port::link, &Link::up>, set_flag<&Port::link, &Link::up>),
    setting("mtu", link, {.kind = number, .min = 68, .max = 65535},
            "Largest IP packet the port carries, in bytes.", get_number<&Port::link, &Link::mtu>,
            set_number<&Port::link, &Link::mtu>),
    fact("mtu_min", link, {.kind = number, .max = kU32}, "Smallest MTU the driver takes.",
         get_number<&Port::link, &Link::mtu_min>, set_number<&Port::link, &Link::mtu_min>),
    fact("mtu_max", link, {.kind = number, .max = kU32},
         "Largest MTU the driver takes, 0 where it does not say.",
         get_number<&Port::link, &Link::mtu_max>, set_number<&Port::link, &Link::mtu_max>),
    fact("owners", Object::owners, {.kind = named, .words = kOwners, .of = &kEvidence},
         "Programs that manage the port too, and how that was seen.", get_named<&Port::owners>,
         set_named<&Port::owners>),
    fact("carrier", link, {.kind = flag}, "The link is there.",
         get_flag<&Port::link, &Link::carrier>, set_flag<&Port::link, &Link::carrier>),
    fact("carrier_up_count", link, {.kind = counter, .max = kU32}, "How often the link came.",
         get_number<&Port::link, &Link::carrier_up_count>,
         set_number<&Port::link, &Link::carrier_up_count>),
    fact("carrier_down_count", link, {.kind = counter, .max = kU32}, "How often the link went.",
         get_number<&Port::link, &Link::carrier_down_count>,
         set_number<&Port::link, &Link::carrier_down_count>),
    fact("speed", speed, {.kind = number, .max = kU32}, "Speed of the link, in Mb/s.", get_speed,
         set_speed),
    setting("pause.rx", pause, {.kind = flag},
            "The port obeys link-level pause frames (IEEE 802.3 31B); off where PFC is used.",
            get_flag<&Port::pause, &Pause::rx>, set_flag<&Port::pause, &Pause::rx>),
    setting("pause.tx", pause, {.kind = flag},
            "The port sends link-level pause frames; off where PFC is used.",
            get_flag<&Port::pause, &Pause::tx>, set_flag<&Port::pause, &Pause::tx>),
    setting("pause.autoneg", pause, {.kind = flag},
            "Pause is negotiated with the other end of the link.",
            get_flag<&Port::pause, &Pause::autoneg>, set_flag<&Port::pause, &Pause::autoneg>),
};

}  // namespace

std::span<const Field> link_fields() {
    return kRows;
}

}  // namespace core
