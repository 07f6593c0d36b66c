// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// Affinity of the interrupts under device/msi_irqs of the port (Documentation/ABI/testing/
/// sysfs-bus-pci), from /proc/irq; of a virtio port, of the PCI function below it.
void read_interrupts(Machine& machine, core::Port& port);
/// Writes those that differ. The kernel refuses one that it manages itself with EIO
/// (kernel/irq/proc.c write_irq_affinity).
void write_interrupts(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
