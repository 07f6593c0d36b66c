// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/watch/author.hpp"
#include "core/watch/device_resets.hpp"

namespace core {

/// What the kernel reported to a watch, as long as it may be why something differs: since the last
/// reading but one, and that a port has gone until it is back.
class NotificationLog {
public:
    /// What was reported since this was called last; true where one of these ports went or came.
    bool add(std::vector<Notification> news, const std::set<std::string>& ports);
    /// Adds what was reported while this process wrote; true where one of these ports went or
    /// came. Writes of rocectl and of processes that have ended, its children, are left out as its
    /// own. What was heard before is forgotten, but that a port has gone.
    bool add_of_own_writes(std::vector<Notification> news, const std::set<std::string>& ports);
    /// What devlink counts of the ports, and what was reported until that was read, which may be
    /// after a reload that it waited for: of ports that came it tells why they had gone. True where
    /// one of these ports went or came.
    bool counted(State state, std::vector<Notification> news, const std::set<std::string>& ports) {
        const bool moved = add(std::move(news), ports);
        device_resets_.counted(std::move(state), notifications_);
        return moved;
    }
    /// Whether a port came of which devlink may yet tell why it had gone.
    [[nodiscard]] bool any_unexplained() const {
        return device_resets_.any_unexplained(notifications_);
    }
    /// That it was waited for what devlink may tell, for as long as that is worth it.
    void has_waited() { device_resets_.forget_uncounted(notifications_); }
    /// The ports that came since this was called last, but not while this process wrote.
    [[nodiscard]] std::set<std::string> returned() { return std::exchange(returned_, {}); }
    /// Notes that what differs on these ports was reported.
    void was_reported(const std::vector<std::string>& ports);
    [[nodiscard]] std::vector<std::string> reasons(const Deviation& deviation) const;

private:
    DeviceResets device_resets_{};
    std::vector<Notification> gone_{};    ///< of ports that are not back
    std::vector<Notification> before_{};  ///< that the last reading but one was reported with
    std::vector<Notification> notifications_{};
    std::set<std::string> returned_{};
    bool reported_ = false;
};

}  // namespace core
