// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// The rate of one lane in GT/s, from `32.0 GT/s PCIe` (drivers/pci/probe.c pci_speed_string); 0
/// where not known.
double pcie_transfers(std::string_view speed);

/// The capacity of a PCI Express link in Gb/s, as the kernel computes it (include/linux/pci.h
/// PCIE_SPEED2MBS_ENC): 8 of 10 bits up to 5 GT/s, 128 of 130 up to 32, all at 64.
double pcie_capacity(std::string_view speed, std::uint32_t width);

/// `32.0 GT/s PCIe x16`
std::string pcie_words(std::string_view speed, std::uint32_t width);

}  // namespace core
