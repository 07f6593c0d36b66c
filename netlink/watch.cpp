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

#include "netlink/files/text_file.hpp"
#include "netlink/ip/codecs.hpp"
#include "netlink/link/codecs.hpp"

namespace netlink {
namespace {

using Clock = std::chrono::steady_clock;
using What = core::Notification::What;

constexpr int kRdmaNotify = 4;  // RDMA_NL_GROUP_NOTIFY, since Linux 6.12

/// Not if_indextoname(), which asks on a UNIX socket: what is sealed may open none.
std::string name_by_index(int socket, std::uint32_t index) {
    ifreq request{};
    request.ifr_ifindex = static_cast<int>(index);
    return ioctl(socket, SIOCGIFNAME, &request) == 0 ? request.ifr_name : "";
}

std::string name_of(int socket, const DecodedNotification& notified) {
    if (!notified.name.empty() || notified.index == 0) return notified.name;
    return name_by_index(socket, notified.index);
}

/// A port that has gone meanwhile has no name by its index: it may be one of the scope's.
bool concerns(const core::Scope& scope, const DecodedNotification& notified,
              const std::string& name) {
    return !notified.ages && (name.empty() || in_scope(scope.ports, name));
}

/// As an identity of a route begins (core/objects/ip/route_record.cpp).
std::string destination_of(Bytes payload) {
    const auto header = header_of<rtmsg>(payload);
    if (!header) return {};
    core::Prefix to{.ip = {.v6 = header->rtm_family == AF_INET6}, .length = header->rtm_dst_len};
    const auto bytes = Attributes::after<rtmsg>(payload).find(RTA_DST);
    if (const auto ip = bytes ? ip_of(*bytes) : std::nullopt) to.ip = *ip;
    return core::text(to) + ' ';
}

/// A message with all flags changed is the first one about its port (net/core/dev.c,
/// register_netdevice). The message of a port that is set down comes after its carrier is gone with
/// it (__dev_change_flags, __dev_notify_flags; Linux 6.1 to 7.3). A bridge sends messages of its
/// own family about its ports.
DecodedNotification link_notification(int type, Bytes payload) {
    const auto header = header_of<ifinfomsg>(payload);
    const auto attributes = Attributes::after<ifinfomsg>(payload);
    DecodedNotification out{.name = attributes.text(IFLA_IFNAME)};
    if (!header || header->ifi_family != AF_UNSPEC) return out;
    out.index = static_cast<std::uint32_t>(header->ifi_index);
    out.carrier_down_count = attributes.value<std::uint32_t>(IFLA_CARRIER_DOWN_COUNT);
    if (type == RTM_DELLINK) out.what = What::gone;
    if (type == RTM_NEWLINK && header->ifi_change == ~0U)
        out.what = What::came;
    else if (type == RTM_NEWLINK && (header->ifi_change & ~header->ifi_flags & IFF_UP) != 0)
        out.what = What::set_down;
    return out;
}

/// More are not kept for whoever never asks.
constexpr std::size_t kMostNotifications = 1'000;

}  // namespace

DecodedNotification decode_notification(int type, Bytes payload) {
    switch (type) {
        case RTM_NEWLINK:
        case RTM_DELLINK: return link_notification(type, payload);
        case RTM_NEWADDR:
        case RTM_DELADDR: {
            const auto header = header_of<ifaddrmsg>(payload);
            const auto attributes = Attributes::after<ifaddrmsg>(payload);
            const auto own = attributes.find(IFA_LOCAL);
            const auto ip = ip_of(own ? *own : attributes.find(IFA_ADDRESS).value_or(Bytes()));
            return {.index = header ? header->ifa_index : 0,
                    .object = core::Object::addresses,
                    .element = ip ? core::text(*ip) : ""};
        }
        case RTM_NEWROUTE:
        case RTM_DELROUTE: {
            const auto link = Attributes::after<rtmsg>(payload).value<std::uint32_t>(RTA_OIF);
            return {.index = link.value_or(0),
                    .object = core::Object::routes,
                    .element = destination_of(payload)};
        }
        case RTM_NEWRULE:
        case RTM_DELRULE: return {.object = core::Object::rules};
        case RTM_GETDCB:
        case RTM_SETDCB:
            return {.name = Attributes::after<dcbmsg>(payload).text(DCB_ATTR_IFNAME), .index = 0};
        case RTM_NEWNEIGH:
        case RTM_DELNEIGH: {
            const auto header = header_of<ndmsg>(payload);
            if (!header) return {};
            const bool ages = (header->ndm_state & (NUD_STALE | NUD_DELAY | NUD_PROBE)) != 0;
            return {.index = static_cast<std::uint32_t>(header->ndm_ifindex),
                    .ages = ages && type == RTM_NEWNEIGH,
                    .object = core::Object::neighbours};
        }
        default: return {};
    }
}

std::optional<std::uint32_t> process_of_port_id(std::uint32_t id) {
    constexpr std::uint32_t kNumber = (1U << 22U) - 1;
    // Ids that the kernel gives to further sockets count down from -4096.
    if (id == 0 || id > INT32_MAX || (id & kNumber) == 0) return std::nullopt;
    return id & kNumber;
}

std::optional<std::uint32_t> link_of_notification(int type, Bytes payload) {
    if (type != RTM_NEWLINK && type != RTM_DELLINK) return std::nullopt;
    const auto header = header_of<ifinfomsg>(payload);
    if (!header) return std::nullopt;
    return static_cast<std::uint32_t>(header->ifi_index);
}

std::optional<std::set<std::uint32_t>> LinkWatch::changed() {
    const auto datagrams = joined_ ? route_.drain() : std::nullopt;
    if (!datagrams) return std::nullopt;
    std::set<std::uint32_t> out;
    for (const std::vector<std::byte>& datagram : *datagrams)
        if (const auto header = header_of<nlmsghdr>(datagram))
            if (const auto index = link_of_notification(header->nlmsg_type,
                                                        Bytes(datagram).subspan(sizeof(nlmsghdr))))
                out.insert(*index);
    return out;
}

Watch::Watch(Machine& machine, const core::Scope& scope)
    : machine_(machine), route_(NETLINK_ROUTE) {
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
        found = found || about_any;
        if (about_any) continue;
        const Bytes payload = Bytes(datagram).subspan(sizeof(nlmsghdr));
        DecodedNotification notified = decode_notification(header->nlmsg_type, payload);
        compare_count(notified);
        std::string name = name_of(socket.descriptor(), notified);
        if (!take(scope, notified, name)) continue;
        found = true;
        keep(header->nlmsg_pid, notified, std::move(name));
    }
    return found;
}

void Watch::compare_count(DecodedNotification& notified) {
    if (!notified.carrier_down_count) return;
    const auto [known, is_new] =
        carrier_down_counts_.try_emplace(notified.index, *notified.carrier_down_count);
    // It had no carrier to lose: the cable was out, say.
    if (notified.what == What::set_down && !is_new && known->second == *notified.carrier_down_count)
        notified.what = What::written;
    known->second = *notified.carrier_down_count;
    if (notified.what == What::gone) carrier_down_counts_.erase(known);
}

bool Watch::take(const core::Scope& scope, DecodedNotification& notified, std::string& name) {
    const bool ours = concerns(scope, notified, name);
    if (notified.object || notified.index == 0) return ours;
    if (notified.what == What::gone) came_.erase(notified.index);
    if (notified.what == What::came && !ours) {
        if (came_.size() < kMostNotifications) came_.insert(notified.index);
        return true;
    }
    if (ours && came_.erase(notified.index) > 0) notified.what = What::came;
    return ours;
}

void Watch::keep(std::uint32_t port_id, const DecodedNotification& notified, std::string name) {
    core::Notification out{.what = notified.what,
                           .port = std::move(name),
                           .object = notified.object,
                           .element = notified.element,
                           .carrier_down_count = notified.carrier_down_count.value_or(0)};
    if (const auto process = process_of_port_id(port_id)) {
        out.process = *process;
        const auto file = machine_.file("/proc") / std::to_string(*process) / "comm";
        out.program = read_if_there(file).value_or("");
    }
    // However much is written, that a port went is not lost behind it.
    const bool way = out.what == What::gone || out.what == What::came;
    const bool tells = out.process != 0 || out.what != What::written;
    if (tells && notifications_.size() < (way ? 2 : 1) * kMostNotifications)
        notifications_.push_back(std::move(out));
}

bool Watch::wait(const core::Scope& scope, std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    for (;;) {
        std::array<pollfd, 2> sockets{
            {{.fd = route_.descriptor(), .events = POLLIN, .revents = 0},
             {.fd = rdma_ ? rdma_->descriptor() : -1, .events = POLLIN, .revents = 0}}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        const auto timeout = std::max<std::chrono::milliseconds::rep>(left.count(), 0);
        const int ready = poll(sockets.data(), sockets.size(), static_cast<int>(timeout));
        if (ready < 0 && errno != EINTR) throw KernelError(errno, "waiting for the kernel");
        if (ready < 0) return false;  // a signal: the caller looks whether it is to stop
        if (ready == 0) return false;
        bool changed = sockets[0].revents != 0 && concerned(route_, scope, false);
        if (sockets[1].revents != 0) changed = concerned(*rdma_, scope, true) || changed;
        if (changed) return true;
    }
}

}  // namespace netlink
