// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/watch/author.hpp"
#include "core/watch/loss.hpp"

namespace core {

/// What the kernel announced to a watch, as long as it may be why something differs: since the last
/// reading but one, and that a port has gone until it is back.
class Hearing {
public:
    /// What devlink counts of the ports when the watch begins.
    void began(State counted) { losses_.began(std::move(counted)); }
    /// What was announced since this was called last; true where a port went or came.
    bool add(std::vector<Announcement> news);
    /// What was announced while this process wrote, which is its own but for the ways of ports and
    /// where another process is named: those that wrote for it have ended.
    void add_of_own_writes(std::vector<Announcement> news);
    /// Ports that came, of those that are watched, and of which it is not known why they had gone.
    [[nodiscard]] std::vector<std::string> unexplained(
        const std::vector<std::string>& watched) const;
    void explain(State counted) { losses_.explain(std::move(counted), heard_); }
    /// What differs on the ports that are there was told.
    void was_told(const std::vector<std::string>& ports);
    [[nodiscard]] std::vector<std::string> reasons(const Deviation& deviation) const;

private:
    Losses losses_{};
    std::vector<Announcement> gone_{};    ///< of ports that are not back
    std::vector<Announcement> before_{};  ///< that the last reading but one was told with
    std::vector<Announcement> heard_{};
    bool told_ = false;
};

}  // namespace core
