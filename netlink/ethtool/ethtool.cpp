// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/ethtool.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <cerrno>

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

Message ethtool_message(Host& host, int command, int header, const std::string& port) {
    Message message(host.ethtool_family());
    message.put_header(genlmsghdr{
        .cmd = static_cast<std::uint8_t>(command), .version = ETHTOOL_GENL_VERSION, .reserved = 0});
    message.nest(header, [&] { message.put_text(ETHTOOL_A_HEADER_DEV_NAME, port); });
    return message;
}

std::optional<core::Pause> decode_pause(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto flag = [&](int type) { return attributes.value<std::uint8_t>(type); };
    const auto rx = flag(ETHTOOL_A_PAUSE_RX);
    const auto tx = flag(ETHTOOL_A_PAUSE_TX);
    if (!rx || !tx) return std::nullopt;
    return core::Pause{
        .rx = *rx != 0, .tx = *tx != 0, .autoneg = flag(ETHTOOL_A_PAUSE_AUTONEG).value_or(0) != 0};
}

core::Pause read_pause(Host& host, const std::string& port) {
    Message request = ethtool_message(host, ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER, port);
    std::optional<core::Pause> pause;
    host.generic().get(request, [&](const Reply& reply) { pause = decode_pause(reply.payload); });
    if (!pause) throw KernelError(EBADMSG, "pause is not in the answer");
    return *pause;
}

void write_pause(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.pause || !then.pause) throw KernelError(EOPNOTSUPP);
    Message request =
        ethtool_message(host, ETHTOOL_MSG_PAUSE_SET, ETHTOOL_A_PAUSE_HEADER, now.name);
    // Only what differs: mlx5 refuses any autoneg, and the kernel keeps what is not stated.
    const auto put = [&](int type, bool before, bool after) {
        if (before != after) request.put(type, static_cast<std::uint8_t>(after));
    };
    put(ETHTOOL_A_PAUSE_AUTONEG, now.pause->autoneg, then.pause->autoneg);
    put(ETHTOOL_A_PAUSE_RX, now.pause->rx, then.pause->rx);
    put(ETHTOOL_A_PAUSE_TX, now.pause->tx, then.pause->tx);
    host.generic().change(request);
}

void read_driver(Host& host, core::Port& port) {
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
    if (ioctl(host.control(), SIOCETHTOOL, &request) < 0) throw KernelError(errno);

    port.device =
        core::Device{.driver = text_of(info.driver), .firmware = text_of(info.fw_version)};
    // Some drivers spell "there is none" out.
    if (port.device->firmware == "N/A") port.device->firmware.clear();
    const std::string bus = text_of(info.bus_info);
    if (port.link && port.link->pci.empty() && is_pci_address(bus)) port.link->pci = bus;
}

}  // namespace netlink
