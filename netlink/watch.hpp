// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The port an announcement is about: its name or, where the message has none, its index. Neither
/// where it may be about any port.
struct Announced {
    std::string name{};
    std::uint32_t index = 0;
    bool ages = false;  ///< a neighbour that nobody asked for lately, which says nothing of it
    bool operator==(const Announced&) const = default;
};
Announced decode_announcement(int type, Bytes payload);

/// Listens to what the kernel announces about links, addresses, routes, DCB and RDMA devices; about
/// neighbours, who come and go all the time, where they are in scope.
class Watch {
public:
    Watch(Machine& machine, const core::Scope& scope);
    /// Whether something in scope may have changed; false when the time is over.
    bool wait(const core::Scope& scope, std::chrono::milliseconds time);
    /// Whether announcements were dropped since this was asked last.
    bool lost() { return std::exchange(lost_, false); }

private:
    /// Whether one of the announcements concerns the scope; lost ones may have.
    bool concerned(Socket& socket, const core::Scope& scope, bool about_any);

    bool lost_ = false;
    Socket route_;
    std::optional<Socket> rdma_;
};

}  // namespace netlink
