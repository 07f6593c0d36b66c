// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"

namespace core {

/// What took the port's device away and brought it back, by what devlink counts of it before and
/// after: `devlink reloaded its device (driver_reinit)`. Empty where that tells nothing: the counts
/// of a driver that was loaded anew begin at 0, as most stand.
std::string reason_of_loss(const Port& before, const Port& now);

/// What devlink counts of the ports of a watch, from one loss to the next.
class Losses {
public:
    /// What is to be read of these ports, now or when they came back.
    [[nodiscard]] static Scope scope(std::vector<std::string> ports);
    /// Ports that came, of those that are watched, and of which no reason is known.
    [[nodiscard]] static std::vector<std::string> came(const std::vector<Announcement>& heard,
                                                       const std::vector<std::string>& watched);
    /// Keeps what was read first.
    void began(State state);
    /// Writes down in what was heard why each port that came was lost, as it was read since.
    void explain(State now, std::vector<Announcement>& heard);

private:
    std::map<std::string, Port> known_{};
};

}  // namespace core
