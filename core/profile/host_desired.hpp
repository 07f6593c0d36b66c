// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "core/profile/collection.hpp"
#include "core/profile/entry.hpp"

namespace core {

/// What is desired of the host itself: by the profile for it, and by the entries of ports.
class HostDesired {
public:
    HostDesired();

    /// Adds what the profile states of the host.
    void state(const Entry& entry);
    /// Adds, for each library, the RDMA devices of the ports that its packets are to leave by, in
    /// their order.
    void name_devices(const std::vector<PortDesired>& ports);
    /// Takes what lives at the host from the desired values of a port: it is desired of the host,
    /// by whichever port's entry, so that what two ports desired value of one element meets there.
    void take(PortDesired& all, bool with_exact);
    /// Leaves what holds for one port alone as well: the modules, which only ever add; nothing
    /// where there is no port.
    void leave_modules(bool any_port);
    [[nodiscard]] const PortDesired& all() const { return all_; }

private:
    PortDesired all_{};
    std::set<const Field*> optional_{};
    std::size_t marked_ =
        0;  ///< so many of the desired values are, where their fields are optional
};

}  // namespace core
