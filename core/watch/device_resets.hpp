// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"

namespace core {

/// Why the port's device went away and came back, from devlink's counters before and after:
/// `devlink reloaded its device (driver_reinit)`. Empty where they do not show it: a freshly loaded
/// driver's counters start at 0, the usual value.
std::string reason_of_reset(const Port& before, const Port& now);

/// devlink's counters of the watched ports, from one reading to the next.
class DeviceResets {
public:
    /// What is to be read of these ports.
    [[nodiscard]] static Scope scope(std::vector<std::string> ports);
    /// Takes the current counters and sets the missing Notification::reason of ports that came
    /// back, from the change of their counters (reason_of_reset). A port counted for the first time
    /// gets none.
    void counted(State now, std::vector<Notification>& notifications);
    /// Forgets the counters of ports that came back without a devlink device and have no reason:
    /// the wait was long enough, and another driver has them now.
    void forget_uncounted(const std::vector<Notification>& notifications);
    /// Whether a port came back whose device has devlink and whose reason is unknown.
    [[nodiscard]] bool any_unexplained(const std::vector<Notification>& notifications) const;

private:
    [[nodiscard]] bool is_unexplained(const Notification& one) const;

    std::map<std::string, Port> known_{};
    std::set<std::string> uncounted_{};  ///< at the last reading, but before it
};

}  // namespace core
