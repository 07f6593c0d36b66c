// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::acs {

namespace {

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kFields = {
    fact("pcie.acs", {.kind = flag},
         "Whether a bridge between the port's device and memory sends what devices write to each "
         "other up to the root (ACS redirection): GPUDirect is then as slow as through memory. A "
         "host that gives devices to virtual machines needs it.",
         get_flag<&Port::acs, &Acs::redirects>, set_flag<&Port::acs, &Acs::redirects>),
    fact("pcie.acs_bridges", {.kind = items, .text = Text::pci},
         "The bridges that do, by where they are on the bus.",
         get_listed<&Port::acs, &Acs::bridges>, set_listed<&Port::acs, &Acs::bridges>),
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::acs,
    .name = "acs",
    .doc = "Whether bridges keep devices from writing to each other directly.",
    .topic = Topic::bus,
    .lives = Lives::hardware,
    .fields = kFields,
    .words = {.unsupported = "the port is no PCI Express function"}};

}  // namespace core::acs
