// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <cerrno>
#include "core/model/driver.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/files/text_file.hpp"

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

/// `8086:1592`, from the bus's files below the port's device; empty without them.
std::string pci_id_of(const Machine& machine, const std::string& port) {
    const auto part = [&](const char* name) {
        std::string text =
            read_if_there(machine.file("/sys/class/net/" + port + "/device/" + name)).value_or("");
        return text.starts_with("0x") ? text.substr(2) : text;
    };
    const std::string vendor = part("vendor");
    const std::string device = part("device");
    return vendor.empty() || device.empty() ? std::string() : vendor + ':' + device;
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
    if (core::has_variants(port.device->driver))
        port.device->pci_id = pci_id_of(machine, port.name);
    // Some drivers spell "there is none" out.
    if (port.device->firmware == "N/A") port.device->firmware.clear();
    const std::string bus = text_of(info.bus_info);
    if (port.link && port.link->pci.empty() && is_pci_address(bus)) port.link->pci = bus;
}

}  // namespace netlink
