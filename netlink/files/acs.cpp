// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <fcntl.h>
#include <linux/pci_regs.h>

#include <cerrno>

#include "core/model/back_end.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr std::size_t kExtended = 4096;

std::uint32_t bytes_at(ConfigSpace space, std::size_t at, std::size_t count) {
    if (at + count > space.size())
        throw KernelError(EACCES, "PCI configuration space ends after " +
                                      std::to_string(space.size()) +
                                      " bytes; the rest takes CAP_SYS_ADMIN, run as root");
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < count; ++i)
        out |= std::to_integer<std::uint32_t>(space[at + i]) << (8 * i);
    return out;
}

std::optional<bool> read_bridge(const Machine& machine, const std::string& address) {
    const auto path = machine.file("/sys/bus/pci/devices") / address / "config";
    const auto space = open_config_space(machine, path, O_RDONLY, kExtended);
    if (!space) throw file_error(ENOENT, path);
    return redirects_peers(space->bytes);
}

}  // namespace

std::optional<bool> redirects_peers(ConfigSpace space) {
    constexpr std::uint32_t redirects = PCI_ACS_RR | PCI_ACS_CR;
    // A function whose space is small has no extended capabilities (drivers/pci/probe.c
    // pci_cfg_space_size), and shows 64 bytes of it to who may not read all.
    if (space.size() == PCI_CFG_SPACE_SIZE) return std::nullopt;
    std::size_t at = PCI_CFG_SPACE_SIZE;
    // As many as there is room for: a list may not be trusted to end.
    for (std::size_t left = (kExtended - PCI_CFG_SPACE_SIZE) / 8; left > 0; --left) {
        const std::uint32_t header = bytes_at(space, at, 4);
        if (header == 0 || header == 0xffffffff) return std::nullopt;
        if (PCI_EXT_CAP_ID(header) == PCI_EXT_CAP_ID_ACS)
            return (bytes_at(space, at + PCI_ACS_CTRL, 2) & redirects) != 0;
        at = PCI_EXT_CAP_NEXT(header);
        if (at < PCI_CFG_SPACE_SIZE) return std::nullopt;
    }
    return std::nullopt;
}

void read_acs(Machine& machine, core::Port& port) {
    const auto path = core::path_of("/sys/bus/pci/devices/{pci}", port);
    if (!path) return;
    const HostPath device = machine.file(*path);
    // A virtual machine may show a device on its own, and a NIC that is no PCI Express has no ACS.
    if (!exists(device / "current_link_speed")) return;
    const std::vector<std::string> way = functions_in(link_text(device));
    core::Acs found;
    for (const std::string& bridge : way) {
        if (port.link && bridge == port.link->pci) continue;
        if (!read_bridge(machine, bridge).value_or(false)) continue;
        found.redirects = true;
        found.bridges.insert(bridge);
    }
    port.acs = std::move(found);
}

}  // namespace netlink
