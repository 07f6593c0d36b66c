// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The port an announcement is about: its name or, where the message has none, its index. Neither
/// where it may be about any port.
struct Announced {
    std::string name;
    std::uint32_t index = 0;
    bool operator==(const Announced&) const = default;
};
Announced decode_announcement(int type, Bytes payload);

/// Listens to what the kernel announces about links, addresses, routes, DCB and RDMA devices.
class Watch {
public:
    explicit Watch(Machine& machine);
    /// Whether something in scope may have changed; false when the time is over.
    bool wait(const core::Scope& scope, std::chrono::milliseconds time);

private:
    Socket route_;
    std::optional<Socket> rdma_;
};

}  // namespace netlink
