// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/doctor/deviations.hpp"
#include "core/plan/kernel.hpp"

namespace core {

/// The origin of a deviation, by the kernel's notifications: `NetworkManager (process 812) wrote
/// it`, `the port went and came back, …`. Empty where unknown: notifications name no process for
/// most settings of a port itself.
std::vector<std::string> reasons_for(const Deviation& deviation,
                                     const std::vector<Notification>& notifications);

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

/// The notifications that may explain a difference in a watch: those since the last reading but
/// one, and of a port that has gone until it is back.
class NotificationLog {
public:
    /// Adds the notifications since the last call; true where one of these ports went or came.
    bool add(std::vector<Notification> news, const std::set<std::string>& ports);
    /// Adds the notifications during this process's own writes; true where one of these ports went
    /// or came. Writes of rocectl, and of processes that have ended (its children), count as its
    /// own and are left out. Earlier notifications are forgotten, except that a port has gone.
    bool add_of_own_writes(std::vector<Notification> news, const std::set<std::string>& ports);
    /// Takes devlink's counters and the notifications received until they were read, which may be
    /// after a reload that delayed the reading. Finds why ports that came back had gone. True where
    /// one of `ports` went or came.
    bool counted(State state, std::vector<Notification> news, const std::set<std::string>& ports) {
        const bool moved = add(std::move(news), ports);
        device_resets_.counted(std::move(state), notifications_);
        return moved;
    }
    /// Whether a port came back whose reset devlink may yet explain.
    [[nodiscard]] bool any_unexplained() const {
        return device_resets_.any_unexplained(notifications_);
    }
    /// The wait for devlink's counters is over.
    void has_waited() { device_resets_.forget_uncounted(notifications_); }
    /// The ports that came since the last call, except during this process's writes.
    [[nodiscard]] std::set<std::string> returned() { return std::exchange(returned_, {}); }
    /// Notes that the differences on these ports were reported.
    void was_reported(const std::vector<std::string>& ports);
    [[nodiscard]] std::vector<std::string> reasons(const Deviation& deviation) const;

private:
    DeviceResets device_resets_{};
    std::vector<Notification> gone_{};    ///< of ports that are not back
    std::vector<Notification> before_{};  ///< of the last reading but one
    std::vector<Notification> notifications_{};
    std::set<std::string> returned_{};
    bool reported_ = false;
};

}  // namespace core
