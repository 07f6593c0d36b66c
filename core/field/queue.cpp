// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// What packets pass between the port and the kernel, and how: private flags, rings, channels and
// offloads.

namespace core {
namespace {

Got get_fixed(const Port& port) {
    if (!port.features) return std::nullopt;
    Elements elements;
    for (const std::string& name : port.features->fixed)
        elements.emplace(name, name);
    return elements;
}

void set_fixed(Port& port, const Elements& elements) {
    auto& fixed = part_of<&Port::features>(port).fixed;
    fixed.clear();
    for (const auto& [name, value] : elements)
        fixed.insert(name);
}

using enum Shape::Kind;
using Text = Shape::Text;
using enum Object;

constexpr std::array<std::string_view, 2> kPrivateFlags = {"link-down-on-close", "fw-lldp-agent"};
constexpr std::array<std::string_view, 2> kFeatures = {"rx-gro", "tx-tcp-segmentation"};

const std::array kRows = {
    setting("private_flags", private_flags, {.kind = named, .words = kPrivateFlags, .of = &kFlag},
            "Switches of the driver's own, by its names (ethtool --show-priv-flags lists them); "
            "fw-lldp-agent of ice runs the NIC's own LLDP and DCBX agent.",
            get_named<&Port::private_flags>, set_named<&Port::private_flags>),
    setting("ring.rx", ring, {.kind = number, .min = 1, .max = kU32},
            "Descriptors in each receive ring: how many packets wait for the kernel before one is "
            "dropped.",
            get_reported<&Port::ring, &Ring::rx>, set_reported<&Port::ring, &Ring::rx>),
    fact("ring.rx_max", ring, {.kind = number, .max = kU32},
         "Most descriptors that a receive ring takes.", get_number<&Port::ring, &Ring::rx_max>,
         set_number<&Port::ring, &Ring::rx_max>),
    setting("ring.tx", ring, {.kind = number, .min = 1, .max = kU32},
            "Descriptors in each transmit ring.", get_reported<&Port::ring, &Ring::tx>,
            set_reported<&Port::ring, &Ring::tx>),
    fact("ring.tx_max", ring, {.kind = number, .max = kU32},
         "Most descriptors that a transmit ring takes.", get_number<&Port::ring, &Ring::tx_max>,
         set_number<&Port::ring, &Ring::tx_max>),
    setting("channels.combined", channels, {.kind = number, .max = kU32},
            "Channels that receive and transmit, each with an interrupt of its own.",
            get_reported<&Port::channels, &Channels::combined>,
            set_reported<&Port::channels, &Channels::combined>),
    fact("channels.combined_max", channels, {.kind = number, .max = kU32},
         "Most combined channels that the port has.",
         get_number<&Port::channels, &Channels::combined_max>,
         set_number<&Port::channels, &Channels::combined_max>),
    setting("channels.rx", channels, {.kind = number, .max = kU32},
            "Channels that only receive, beside the combined ones.",
            get_reported<&Port::channels, &Channels::rx>,
            set_reported<&Port::channels, &Channels::rx>),
    fact("channels.rx_max", channels, {.kind = number, .max = kU32},
         "Most receive-only channels that the port has.",
         get_number<&Port::channels, &Channels::rx_max>,
         set_number<&Port::channels, &Channels::rx_max>),
    setting("channels.tx", channels, {.kind = number, .max = kU32},
            "Channels that only transmit, beside the combined ones.",
            get_reported<&Port::channels, &Channels::tx>,
            set_reported<&Port::channels, &Channels::tx>),
    fact("channels.tx_max", channels, {.kind = number, .max = kU32},
         "Most transmit-only channels that the port has.",
         get_number<&Port::channels, &Channels::tx_max>,
         set_number<&Port::channels, &Channels::tx_max>),
    setting("features", features, {.kind = named, .words = kFeatures, .of = &kFlag},
            "Offloads, by the kernel's names (ethtool --show-features lists them).",
            get_named<&Port::features, &Features::active>,
            set_named<&Port::features, &Features::active>),
    fact("features_fixed", features, {.kind = items, .text = Text::name},
         "Offloads that cannot be changed.", get_fixed, set_fixed),
    fact("features_requested", features, {.kind = named, .words = kFeatures, .of = &kFlag},
         "What was asked of an offload, where the device does something else.",
         get_named<&Port::features, &Features::requested>,
         set_named<&Port::features, &Features::requested>),
};

}  // namespace

std::span<const Field> queue_fields() {
    return kRows;
}

}  // namespace core
