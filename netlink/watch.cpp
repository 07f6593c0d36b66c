// SPDX-License-Identifier: Apache-2.0
#include "netlink/watch.hpp"

#include <linux/dcbnl.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "netlink/link/link.hpp"

namespace netlink {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRdmaNotify = 4;  // RDMA_NL_GROUP_NOTIFY, since Linux 6.12

/// Not if_indextoname(), which asks on a UNIX socket: what is sealed may open none.
std::string name_by_index(int socket, std::uint32_t index) {
    ifreq request{};
    request.ifr_ifindex = static_cast<int>(index);
    return ioctl(socket, SIOCGIFNAME, &request) == 0 ? request.ifr_name : "";
}

/// A port that has gone meanwhile has no name by its index: it may be one of the scope's.
bool concerns(int socket, const core::Scope& scope, const Announced& announced) {
    if (announced.ages) return false;
    std::string name = announced.name;
    if (name.empty() && announced.index != 0) name = name_by_index(socket, announced.index);
    return name.empty() || in_scope(scope.ports, name);
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
        case RTM_NEWNEIGH:
        case RTM_DELNEIGH: {
            const auto header = header_of<ndmsg>(payload);
            if (!header) return {};
            const bool ages = (header->ndm_state & (NUD_STALE | NUD_DELAY | NUD_PROBE)) != 0;
            return {.index = static_cast<std::uint32_t>(header->ndm_ifindex),
                    .ages = ages && type == RTM_NEWNEIGH};
        }
        default: return {};
    }
}

Watch::Watch(Machine& machine, const core::Scope& scope) : route_(NETLINK_ROUTE) {
    if (scope.objects.contains(core::Object::neighbours))
        static_cast<void>(route_.join(RTNLGRP_NEIGH));
    for (const int group :
         {RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE,
          RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE, RTNLGRP_DCB})
        static_cast<void>(route_.join(group));  // an old kernel without one tells less
    if (machine.rdma() == nullptr) return;
    rdma_.emplace(NETLINK_RDMA);
    if (!rdma_->join(kRdmaNotify)) rdma_.reset();
}

bool Watch::concerned(Socket& socket, const core::Scope& scope, bool about_any) {
    const auto datagrams = socket.drain();
    if (!datagrams) return lost_ = true;
    bool found = false;
    for (const std::vector<std::byte>& datagram : *datagrams) {
        const auto header = header_of<nlmsghdr>(datagram);
        if (!header) continue;
        const Bytes payload = Bytes(datagram).subspan(sizeof(nlmsghdr));
        found =
            found || about_any ||
            concerns(socket.descriptor(), scope, decode_announcement(header->nlmsg_type, payload));
    }
    return found;
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
        bool changed = sockets[0].revents != 0 && concerned(route_, scope, false);
        if (sockets[1].revents != 0) changed = concerned(*rdma_, scope, true) || changed;
        if (changed) return true;
    }
}

}  // namespace netlink
