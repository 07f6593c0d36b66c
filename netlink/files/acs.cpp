// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <fcntl.h>
#include <linux/pci_regs.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "core/model/back_end.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

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

bool redirects(const Machine& machine, const std::string& address) {
    const auto path = machine.file("/sys/bus/pci/devices") / address / "config";
    const auto space = open_config_space(machine, path, O_RDONLY, kExtendedSpace);
    if (!space) throw file_error(ENOENT, path);
    const auto control = acs_control(space->bytes);
    return control && redirects_peers(*control);
}

struct Control {
    std::uint16_t bit = 0;
    std::string_view name{};
};
/// lspci(8) (pciutils 3.10, ls-ecaps.c cap_acs).
constexpr std::array kControls = {
    Control{PCI_ACS_SV, "SrcValid"},    Control{PCI_ACS_TB, "TransBlk"},
    Control{PCI_ACS_RR, "ReqRedir"},    Control{PCI_ACS_CR, "CmpltRedir"},
    Control{PCI_ACS_UF, "UpstreamFwd"}, Control{PCI_ACS_EC, "EgressCtrl"},
    Control{PCI_ACS_DT, "DirectTrans"}};

}  // namespace

std::optional<std::uint16_t> acs_control(ConfigSpace space) {
    // A function whose space is small has no extended capabilities (drivers/pci/probe.c
    // pci_cfg_space_size), and shows 64 bytes of it to who may not read all.
    if (space.size() == PCI_CFG_SPACE_SIZE) return std::nullopt;
    std::size_t at = PCI_CFG_SPACE_SIZE;
    // As many as there is room for: a list may not be trusted to end.
    for (std::size_t left = (kExtendedSpace - PCI_CFG_SPACE_SIZE) / 8; left > 0; --left) {
        const std::uint32_t header = bytes_at(space, at, 4);
        if (header == 0 || header == 0xffffffff) return std::nullopt;
        if (PCI_EXT_CAP_ID(header) == PCI_EXT_CAP_ID_ACS)
            return static_cast<std::uint16_t>(bytes_at(space, at + PCI_ACS_CTRL, 2));
        at = PCI_EXT_CAP_NEXT(header);
        if (at < PCI_CFG_SPACE_SIZE) return std::nullopt;
    }
    return std::nullopt;
}

bool redirects_peers(std::uint16_t control) {
    return (control & (PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_EC)) != 0;
}

std::string acs_text(std::uint16_t control) {
    std::string out;
    for (const Control& one : kControls)
        if ((control & one.bit) != 0) out.append(out.empty() ? "" : " ").append(one.name);
    return out.empty() ? "off" : out;
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
        if (!redirects(machine, bridge)) continue;
        found.redirects = true;
        found.bridges.insert(bridge);
    }
    port.acs = std::move(found);
}

}  // namespace netlink
