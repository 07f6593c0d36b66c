// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// The port an notification is about: its name or, where the message has none, its index. Neither
/// where it may be about any port.
struct DecodedNotification {
    std::string name{};
    std::uint32_t index = 0;
    bool ages = false;  ///< a neighbour that nobody asked for lately, which says nothing of it
    core::Notification::What what = core::Notification::What::written;
    std::optional<core::Object> object{};
    std::string element{};
    /// Of a link: how often it has lost its carrier (IFLA_CARRIER_DOWN_COUNT).
    std::optional<std::uint32_t> carrier_down_count{};
    bool operator==(const DecodedNotification&) const = default;
};
DecodedNotification decode_notification(int type, Bytes payload);

/// The process that a port id of a netlink socket names, where it names one: the kernel gives the
/// first socket of a process its number (net/netlink/af_netlink.c, netlink_autobind), libnl that
/// and a count above its 22 bits (lib/socket.c, generate_local_port).
std::optional<std::uint32_t> process_of_port_id(std::uint32_t id);

/// Listens to what the kernel announces about links, addresses, routes, DCB and RDMA devices; about
/// neighbours, who come and go all the time, where they are in scope.
class Watch {
public:
    Watch(Machine& machine, const core::Scope& scope);
    /// Whether something in scope may have changed; false when the time is over.
    bool wait(const core::Scope& scope, std::chrono::milliseconds time);
    /// Whether notifications were dropped since this was asked last.
    bool lost() { return std::exchange(lost_, false); }
    /// What was reported since this was asked last, where it says more than that something was.
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
    /// The last that was reported of each link: what one that is set down without a carrier
    /// repeats.
    std::map<std::uint32_t, std::uint32_t> carrier_down_counts_{};
    std::set<std::uint32_t> came_{};  ///< indices of links that came under a name of no scope
    bool lost_ = false;
    std::vector<core::Notification> notifications_{};
    Socket route_;
    std::optional<Socket> rdma_;
};

}  // namespace netlink
