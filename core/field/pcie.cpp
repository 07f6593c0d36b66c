// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// How the device reads from and writes to memory.

namespace core {
namespace {

using enum Shape::Kind;
using enum Object;

const std::array kRows = {
    setting("pcie.read_request", pcie, {.kind = number, .min = 128, .max = 4096},
            "Most bytes that the device asks memory for at once (MRRS): a power of two; 4096 for "
            "RDMA at 100 Gb/s and more. Lost at a reset of the device.",
            get_number<&Port::pcie, &Pcie::read_request>,
            set_number<&Port::pcie, &Pcie::read_request>),
    setting("pcie.relaxed_ordering", pcie, {.kind = flag},
            "The device may let its writes to memory pass each other. Lost at a reset of the "
            "device.",
            get_flag<&Port::pcie, &Pcie::relaxed_ordering>,
            set_flag<&Port::pcie, &Pcie::relaxed_ordering>),
    fact("pcie.payload", pcie, {.kind = number, .min = 128, .max = 4096},
         "Most bytes in one packet to or from the device (MPS); the same on the whole path.",
         get_number<&Port::pcie, &Pcie::payload>, set_number<&Port::pcie, &Pcie::payload>),
};

}  // namespace

std::span<const Field> pcie_fields() {
    return kRows;
}

}  // namespace core
