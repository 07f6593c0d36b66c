// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "netlink/transport/machine.hpp"

namespace netlink {

using ConfigSpace = std::span<const std::byte>;

/// Where the PCI Express capability is; nothing where the function has none. Throws KernelError
/// EACCES where the bytes end before that can be told, as they do for who is not root.
std::optional<std::size_t> express_capability(ConfigSpace space);

/// The parts of a Device Control register, and the register with them put in.
core::Pcie decode_device_control(std::uint16_t control);
std::uint16_t encode_device_control(std::uint16_t control, const core::Pcie& then);

/// The configuration spaces of all ports, as many as can be open at a time. What lies beyond the
/// header is shown to whom CAP_SYS_ADMIN was effective for when the file was opened
/// (drivers/pci/pci-sysfs.c pci_read_config).
KeptFiles open_config_spaces(const std::filesystem::path& root);

/// /sys/bus/pci/devices/ADDRESS/config; a port without a PCI address has nothing.
void read_pcie(Machine& machine, core::Port& port);
/// Changes what differs of the register as it is at that moment.
void write_pcie(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
