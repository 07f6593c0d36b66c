// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include "core/model/back_end.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
// drivers/pci/pci-sysfs.c current_link_speed_show, which a function that is none of PCI Express has
// not; drivers/iommu/iommu.c iommu_group_show_type; numa_node_show, -1 where the firmware names
// none, and no such file in a kernel without CONFIG_NUMA.
void read_pcie_link(Machine& machine, core::Port& port) {
    const auto path = core::path_of("/sys/bus/pci/devices/{pci}", port);
    if (!path) return;
    const HostPath device = machine.file(*path);
    if (!exists(device / "current_link_speed")) return;
    core::PcieLink link{.speed = read_text_file(device / "current_link_speed"),
                        .width = number_in(read_text_file(device / "current_link_width")),
                        .max_speed = read_text_file(device / "max_link_speed"),
                        .max_width = number_in(read_text_file(device / "max_link_width")),
                        .iommu = "off"};
    if (exists(device / "iommu_group")) link.iommu = read_text_file(device / "iommu_group/type");
    const std::string node = read_if_there(device / "numa_node").value_or("");
    if (!node.empty() && node.front() != '-') link.numa_node = number_in(node);
    port.pcie_link = std::move(link);
}

}  // namespace netlink
