// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/machine.hpp"

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <cerrno>
#include <sstream>

namespace netlink {

Socket& Machine::route() {
    if (!route_) route_.emplace(NETLINK_ROUTE);
    return *route_;
}

Socket& Machine::generic() {
    if (!generic_) generic_.emplace(NETLINK_GENERIC);
    return *generic_;
}

std::optional<std::uint16_t> Machine::family(std::string_view name) {
    Message request(GENL_ID_CTRL);
    request.put_header(genlmsghdr{.cmd = CTRL_CMD_GETFAMILY, .version = 1, .reserved = 0});
    request.put_text(CTRL_ATTR_FAMILY_NAME, name);
    std::optional<std::uint16_t> number;
    generic().get(request, [&](const Reply& reply) {
        number =
            Attributes::after<genlmsghdr>(reply.payload).value<std::uint16_t>(CTRL_ATTR_FAMILY_ID);
    });
    return number;
}

std::uint16_t Machine::ethtool_family() {
    if (!ethtool_family_) ethtool_family_ = family("ethtool");
    if (!ethtool_family_) throw KernelError(ENOENT, "no ethtool netlink");
    return *ethtool_family_;
}

std::optional<std::uint16_t> Machine::devlink_family() {
    if (devlink_family_) return devlink_family_;
    try {
        devlink_family_ = family("devlink");
    } catch (const KernelError& error) {
        if (error.code != ENOENT) throw;
    }
    return devlink_family_;
}

bool has_protocol(std::istream& sockets, int protocol) {
    std::string line;
    std::getline(sockets, line);  // the heading
    while (std::getline(sockets, line)) {
        std::istringstream words(line);
        std::string address;
        int number = -1;
        if (words >> address >> number && number == protocol) return true;
    }
    return false;
}

Socket* Machine::rdma() {
    if (rdma_) return &*rdma_;
    // Opening the socket loads ib_core, so sysfs is asked first, or, where that is not mounted, the
    // list of the kernel's own ends, of which ib_core has one in each network namespace.
    if (exists(file("/sys/class/net"))) {
        if (!exists(file("/sys/class/infiniband"))) return nullptr;
    } else {
        std::istringstream sockets(text_of("/proc/net/netlink"));
        if (!has_protocol(sockets, NETLINK_RDMA)) return nullptr;
    }
    try {
        rdma_.emplace(NETLINK_RDMA);
    } catch (const KernelError& error) {
        if (error.code == EPROTONOSUPPORT) return nullptr;
        throw;
    }
    return &*rdma_;
}

Socket& Machine::rdma_loaded() {
    if (!rdma_) {
        try {
            rdma_.emplace(NETLINK_RDMA);
        } catch (const KernelError& error) {
            if (error.code != EPROTONOSUPPORT) throw;
            throw KernelError(error.code, "no RDMA in this kernel: load module ib_core");
        }
    }
    return *rdma_;
}

int Machine::control() {
    // Any socket will do; those of netlink hand the request on (netlink_ioctl in
    // net/netlink/af_netlink.c, since 4.6).
    return route().descriptor();
}

int Machine::kept(const HostPath& path) const {
    if (kept_.empty()) return -1;
    const auto found = kept_.find(path.string());
    return found == kept_.end() ? -1 : found->second.number();
}

}  // namespace netlink
