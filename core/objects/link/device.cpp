// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::device {

namespace {

/// Not read where nothing depends on it.
Got get_pci_id(const Port& port) {
    if (!port.device || port.device->pci_id.empty()) return std::nullopt;
    return one(port.device->pci_id);
}

using enum Shape::Kind;

constexpr std::array kFields = {
    fact("driver", {.kind = text}, "Kernel driver of the port.",
         get_text<&Port::device, &Device::driver>, set_text<&Port::device, &Device::driver>),
    fact("firmware", {.kind = text}, "Firmware version the driver reports.",
         get_text<&Port::device, &Device::firmware>, set_text<&Port::device, &Device::firmware>),
    fact("pci_id", {.kind = text},
         "PCI vendor and device of the port, as 8086:1592, where its driver treats devices "
         "differently.",
         get_pci_id, set_text<&Port::device, &Device::pci_id>),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::device,
                                 .name = "device",
                                 .doc = "Driver and firmware.",
                                 .topic = Topic::link,
                                 .fields = kFields,
                                 .read = {.inventory = true}};

}  // namespace core::device
