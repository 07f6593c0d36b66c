// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <cerrno>
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

/// A char array that the kernel fills, and may fill to its end.
template <std::size_t N>
std::string text_of(const char (&field)[N]) {
    return {field, strnlen(field, N)};
}

/// As sysfs names PCI devices: 0000:3b:00.0.
bool is_pci_address(const std::string& text) {
    return text.size() >= 12 && text[4] == ':' && text[7] == ':' && text[10] == '.';
}

}  // namespace

void read_device(Machine& machine, core::Port& port) {
    // The kernel itself names a software device's driver after its kind (net/ethtool/ioctl.c).
    if (port.link && !port.link->kind.empty()) {
        port.device = core::Device{.driver = port.link->kind, .firmware = {}};
        return;
    }
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    ifreq request{};
    port.name.copy(request.ifr_name, sizeof(request.ifr_name) - 1);
    request.ifr_data = reinterpret_cast<char*>(&info);
    if (ioctl(machine.control(), SIOCETHTOOL, &request) < 0) throw KernelError(errno);

    port.device =
        core::Device{.driver = text_of(info.driver), .firmware = text_of(info.fw_version)};
    // Some drivers spell "there is none" out.
    if (port.device->firmware == "N/A") port.device->firmware.clear();
    const std::string bus = text_of(info.bus_info);
    if (port.link && port.link->pci.empty() && is_pci_address(bus)) port.link->pci = bus;
}

}  // namespace netlink
