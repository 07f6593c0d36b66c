// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/watch/author.hpp"
#include "core/watch/device_resets.hpp"

namespace core {

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
