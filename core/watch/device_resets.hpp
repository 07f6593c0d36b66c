// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"

namespace core {

/// What took the port's device away and brought it back, by what devlink counts of it before and
/// after: `devlink reloaded its device (driver_reinit)`. Empty where that tells nothing: the counts
/// of a driver that was loaded anew begin at 0, as most stand.
std::string reason_of_reset(const Port& before, const Port& now);

/// What devlink counts of the ports of a watch, from one reading to the next.
class DeviceResets {
public:
    /// What is to be read of these ports.
    [[nodiscard]] static Scope scope(std::vector<std::string> ports);
    /// Takes what is counted now, and sets Announcement::reason of each port in `heard` that came
    /// and has none yet to why it had gone, by what was counted before (reason_of_reset). Of a port
    /// that is counted for the first time nothing can be told.
    void counted(State now, std::vector<Notification>& notifications);
    /// Forgets what was counted of ports that came without a devlink device, of which no reason is
    /// known: it was waited for one long enough, and another driver has them now.
    void forget_uncounted(const std::vector<Notification>& notifications);
    /// Whether a port came whose device has devlink, and of which no reason is known.
    [[nodiscard]] bool any_unexplained(const std::vector<Notification>& notifications) const;

private:
    [[nodiscard]] bool is_unexplained(const Notification& one) const;

    std::map<std::string, Port> known_{};
    std::set<std::string> uncounted_{};  ///< at the last reading, but before it
};

}  // namespace core
