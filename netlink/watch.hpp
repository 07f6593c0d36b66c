// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The port that a notification is about: its name or, where the message has none, its index.
/// Neither where it may be about any port.
struct DecodedNotification {
    std::string name{};
    std::uint32_t index = 0;
    bool ages = false;  ///< a neighbour that is stale or being verified: no change
    core::Notification::What what = core::Notification::What::written;
    std::optional<core::Object> object{};
    std::string element{};
    /// Of a link: how often it has lost its carrier (IFLA_CARRIER_DOWN_COUNT).
    std::optional<std::uint32_t> carrier_down_count{};
    bool operator==(const DecodedNotification&) const = default;
};
DecodedNotification decode_notification(int type, Bytes payload);

/// The process named by a netlink port id, if any: the kernel gives a process's first socket the
/// pid (net/netlink/af_netlink.c, netlink_autobind), libnl the pid and a count above its 22 bits
/// (lib/socket.c, generate_local_port).
std::optional<std::uint32_t> process_of_port_id(std::uint32_t id);

/// Listens to the kernel's notifications about links, for which of them may have changed.
class LinkWatch {
public:
    LinkWatch() : route_(NETLINK_ROUTE), joined_(route_.join(RTNLGRP_LINK)) {}
    /// The indices of those since the last call; nothing where notifications were dropped, or there
    /// are none.
    std::optional<std::set<std::uint32_t>> changed();

private:
    Socket route_;
    bool joined_;
};
/// The index of the link that a notification is about; nothing where it is about none.
std::optional<std::uint32_t> link_of_notification(int type, Bytes payload);

/// Listens to the kernel's notifications about links, addresses, routes, DCB and RDMA devices;
/// about neighbours, which change constantly, only where they are in scope.
class Watch {
public:
    Watch(Machine& machine, const core::Scope& scope);
    /// Whether something in scope may have changed; false when the time is over.
    bool wait(const core::Scope& scope, std::chrono::milliseconds time);
    /// Whether notifications were dropped since this was asked last.
    bool lost() { return std::exchange(lost_, false); }
    /// The notifications since the last call that carry more than that something changed.
    std::vector<core::Notification> notifications() { return std::exchange(notifications_, {}); }

private:
    /// Whether one of the notifications concerns the scope; lost ones may have.
    bool concerned(Socket& socket, const core::Scope& scope, bool about_any);
    void keep(std::uint32_t port_id, const DecodedNotification& notified, std::string name);

    /// Keeps the count of a link, and tells a port that was set down without a carrier as written.
    void compare_count(DecodedNotification& notified);

    /// Whether it is of the scope; a link that came is, under whatever name: it may get another.
    bool take(const core::Scope& scope, DecodedNotification& notified, std::string& name);

    Machine& machine_;
    /// The last count reported of each link; setting down a link without carrier repeats it.
    std::map<std::uint32_t, std::uint32_t> carrier_down_counts_{};
    std::set<std::uint32_t> came_{};  ///< indices of links that came under a name of no scope
    bool lost_ = false;
    std::vector<core::Notification> notifications_{};
    Socket route_;
    std::optional<Socket> rdma_;
};

}  // namespace netlink
