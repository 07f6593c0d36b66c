// SPDX-License-Identifier: Apache-2.0
#include "netlink/watch.hpp"

#include <linux/dcbnl.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "netlink/link/link.hpp"

namespace netlink {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRdmaNotify = 4;  // RDMA_NL_GROUP_NOTIFY, since Linux 6.12

/// A port that has gone meanwhile has no name by its index: it may be one of the scope's.
bool concerns(const core::Scope& scope, const Announced& announced) {
    std::string name = announced.name;
    if (name.empty() && announced.index != 0) {
        std::array<char, IF_NAMESIZE> buffer{};
        if (if_indextoname(announced.index, buffer.data()) != nullptr) name = buffer.data();
    }
    return name.empty() || in_scope(scope.ports, name);
}

/// Whether one of the announcements concerns the scope; lost ones may have.
bool read_announcements(Socket& socket, const core::Scope& scope, bool about_any) {
    const auto datagrams = socket.drain();
    if (!datagrams) return true;
    bool found = false;
    for (const std::vector<std::byte>& datagram : *datagrams) {
        const auto header = header_of<nlmsghdr>(datagram);
        if (!header) continue;
        const Bytes payload = Bytes(datagram).subspan(sizeof(nlmsghdr));
        found =
            found || about_any || concerns(scope, decode_announcement(header->nlmsg_type, payload));
    }
    return found;
}

}  // namespace

Announced decode_announcement(int type, Bytes payload) {
    switch (type) {
        case RTM_NEWLINK:
        case RTM_DELLINK:
            return {.name = Attributes::after<ifinfomsg>(payload).text(IFLA_IFNAME), .index = 0};
        case RTM_NEWADDR:
        case RTM_DELADDR: {
            const auto header = header_of<ifaddrmsg>(payload);
            return {.name = {}, .index = header ? header->ifa_index : 0};
        }
        case RTM_NEWROUTE:
        case RTM_DELROUTE: {
            const auto link = Attributes::after<rtmsg>(payload).value<std::uint32_t>(RTA_OIF);
            return {.name = {}, .index = link.value_or(0)};
        }
        case RTM_GETDCB:
        case RTM_SETDCB:
            return {.name = Attributes::after<dcbmsg>(payload).text(DCB_ATTR_IFNAME), .index = 0};
        default: return {};
    }
}

Watch::Watch(Machine& machine) : route_(NETLINK_ROUTE) {
    for (const int group :
         {RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE,
          RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE, RTNLGRP_DCB})
        static_cast<void>(route_.join(group));  // an old kernel without one tells less
    if (machine.rdma() == nullptr) return;
    rdma_.emplace(NETLINK_RDMA);
    if (!rdma_->join(kRdmaNotify)) rdma_.reset();
}

bool Watch::wait(const core::Scope& scope, std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    for (;;) {
        std::array<pollfd, 2> sockets{
            {{.fd = route_.descriptor(), .events = POLLIN, .revents = 0},
             {.fd = rdma_ ? rdma_->descriptor() : -1, .events = POLLIN, .revents = 0}}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        const auto patience = std::max<std::chrono::milliseconds::rep>(left.count(), 0);
        const int ready = poll(sockets.data(), sockets.size(), static_cast<int>(patience));
        if (ready < 0 && errno != EINTR) throw KernelError(errno, "waiting for the kernel");
        if (ready < 0) return false;  // a signal: the caller looks whether it is to stop
        if (ready == 0) return false;
        bool changed = sockets[0].revents != 0 && read_announcements(route_, scope, false);
        if (sockets[1].revents != 0) changed = read_announcements(*rdma_, scope, true) || changed;
        if (changed) return true;
    }
}

}  // namespace netlink
