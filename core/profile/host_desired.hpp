// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "core/profile/collection.hpp"
#include "core/profile/entry.hpp"

namespace core {

/// The desired values of the host itself, from the profile's `host` and from the entries of ports.
class HostDesired {
public:
    HostDesired();

    /// Adds the settings in the profile's `host`.
    void state(const Entry& entry);
    /// Adds each library's RDMA devices: those of the ports that its packets should leave by, in
    /// the ports' order.
    void name_devices(const std::vector<PortDesired>& ports);
    /// Moves settings of host objects from a port's desired values to the host's, where the values
    /// that two ports' entries desire for one element meet.
    void take(PortDesired& all, bool with_exact);
    /// Drops what does not apply to one port by itself: keeps the modules, which are only ever
    /// added; nothing without a port.
    void leave_modules(bool any_port);
    [[nodiscard]] const PortDesired& all() const { return all_; }

private:
    PortDesired all_{};
    std::set<const Field*> optional_{};
    std::size_t marked_ =
        0;  ///< so many of the desired values are, where their fields are optional
};

}  // namespace core
