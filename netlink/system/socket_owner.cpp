// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/socket_owner.hpp"

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>

#include "netlink/files/loaded_modules.hpp"
#include "netlink/transport/socket.hpp"

namespace netlink {

std::optional<std::uint32_t> owner_of_socket(const Machine& machine, std::uint32_t inode) {
    if (would_load(machine, "unix_diag")) return std::nullopt;
    constexpr int uid = 7;  // UNIX_DIAG_UID, and what asks for it: names of Linux 5.3
    constexpr std::uint32_t show_uid = 0x40;
    try {
        Socket socket(NETLINK_SOCK_DIAG);
        Message request(SOCK_DIAG_BY_FAMILY);
        unix_diag_req asked{};
        asked.sdiag_family = AF_UNIX;
        asked.udiag_states = ~0U;
        asked.udiag_ino = inode;
        asked.udiag_show = show_uid;
        asked.udiag_cookie[0] = asked.udiag_cookie[1] = ~0U;  // any
        request.put_header(asked);
        std::optional<std::uint32_t> owner;
        socket.get(request, [&](const Reply& reply) {
            owner = Attributes::after<unix_diag_msg>(reply.payload).value<std::uint32_t>(uid);
        });
        return owner;
    } catch (const KernelError&) {
        return std::nullopt;
    }
}

}  // namespace netlink
