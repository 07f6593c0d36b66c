// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::device {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    fact("driver", {.kind = text}, "Kernel driver of the port.",
         get_text<&Port::device, &Device::driver>, set_text<&Port::device, &Device::driver>),
    fact("firmware", {.kind = text}, "Firmware version the driver reports.",
         get_text<&Port::device, &Device::firmware>, set_text<&Port::device, &Device::firmware>),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::device,
                                 .name = "device",
                                 .doc = "Driver and firmware.",
                                 .topic = Topic::link,
                                 .fields = kFields,
                                 .read = {.inventory = true}};

}  // namespace core::device
