// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netlink/transport/machine.hpp"

namespace netlink {

using ConfigSpace = std::span<const std::byte>;

/// Bytes of a configuration space with extended capabilities (PCI_CFG_SPACE_EXP_SIZE).
inline constexpr std::size_t kExtendedSpace = 4096;

/// Where the PCI Express capability is; nothing where the function has none. Throws KernelError
/// EACCES where the bytes end before that can be told, as they do for who is not root.
std::optional<std::size_t> express_capability(ConfigSpace space);

/// The ACS Control register of a function with that configuration space (PCI Express Base
/// Specification 7.7.7.3); nothing for a function without Access Control Services. Throws
/// KernelError where the space ends early.
std::optional<std::uint16_t> acs_control(ConfigSpace space);

/// Whether it sends what its peers ask of each other up to the root, by what the kernel goes by
/// (drivers/pci/p2pdma.c pci_bridge_has_acs_redir, Linux 7.3): requests, completions, or what
/// egress control decides.
bool redirects_peers(std::uint16_t control);

/// The controls that are on, as lspci(8) names them: `ReqRedir CmpltRedir`; `off` where none is.
std::string acs_text(std::uint16_t control);

/// The parts of a Device Control register, and the register with them put in.
core::Pcie decode_device_control(std::uint16_t control);
std::uint16_t encode_device_control(std::uint16_t control, const core::Pcie& then);

/// What a function shows of its configuration space, and the file, if it was opened for this.
struct OpenSpace {
    Descriptor file{};
    std::vector<std::byte> bytes{};
};
/// Reads at most so much of it; of a kept file where it is only read. Nothing where there is no
/// such function.
std::optional<OpenSpace> open_config_space(const Machine& machine, const HostPath& path, int flags,
                                           std::size_t most);

/// The PCI functions on the way to a device or port, the bridges before it first: of
/// devices/…/0000:3a:00.0/0000:3b:00.0/net/ens1f0.
std::vector<std::string> functions_in(const std::filesystem::path& way);

/// The configuration spaces of all ports and GPUs and of the bridges before them, as many as can be
/// open at a time. What lies beyond the header is shown to whom CAP_SYS_ADMIN was effective for
/// when the file was opened (drivers/pci/pci-sysfs.c pci_read_config).
KeptFiles open_config_spaces(const Root& root);

}  // namespace netlink
