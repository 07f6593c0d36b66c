// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::pcie_link {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    fact("pcie.link_speed", {.kind = text},
         "Speed of each lane of the device's PCI Express link, such as 32.0 GT/s PCIe.",
         get_text<&Port::pcie_link, &PcieLink::speed>,
         set_text<&Port::pcie_link, &PcieLink::speed>),
    fact("pcie.link_width", {.kind = number, .max = 64}, "Lanes of the device's PCI Express link.",
         get_number<&Port::pcie_link, &PcieLink::width>,
         set_number<&Port::pcie_link, &PcieLink::width>),
    fact("pcie.link_speed_max", {.kind = text}, "Highest speed of a lane that the device can do.",
         get_text<&Port::pcie_link, &PcieLink::max_speed>,
         set_text<&Port::pcie_link, &PcieLink::max_speed>),
    fact("pcie.link_width_max", {.kind = number, .max = 64}, "Most lanes that the device can use.",
         get_number<&Port::pcie_link, &PcieLink::max_width>,
         set_number<&Port::pcie_link, &PcieLink::max_width>),
    fact("pcie.iommu", {.kind = text},
         "What the IOMMU does with the device's accesses: identity where it lets them pass, DMA or "
         "DMA-FQ where it translates them, off where there is none.",
         get_text<&Port::pcie_link, &PcieLink::iommu>,
         set_text<&Port::pcie_link, &PcieLink::iommu>),
    fact("pcie.numa_node", {.kind = number, .max = kU32},
         "NUMA node that the device is near to, where the firmware names one.",
         get_reported<&Port::pcie_link, &PcieLink::numa_node>,
         set_reported<&Port::pcie_link, &PcieLink::numa_node>),
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::pcie_link,
    .name = "pcie_link",
    .doc = "The device's PCI Express link, the IOMMU before it, and its NUMA node.",
    .topic = Topic::bus,
    .lives = Lives::hardware,
    .fields = kFields,
    .words = {.unsupported = "the port is no PCI Express function"}};

}  // namespace core::pcie_link
