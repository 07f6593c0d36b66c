// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run/healing.hpp"
#include "core/doctor/notification_log.hpp"
#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"

namespace cli {

/// Finds who may have caused a deviation that a watch reports.
class WatchReasons {
public:
    explicit WatchReasons(const std::filesystem::path& root) : root_(root) {}

    /// Reads the owners of the ports in the plan. Where they cannot be read, none are known: the
    /// deviation is still reported.
    void ask_for_owners(core::Kernel& kernel, const core::Plan& plan);
    void forget_owners() { owners_.clear(); }

    /// One line for each possible author: notifications of the port, other runs of rocectl that
    /// wrote the value recently, the one that is running now, and the owners of the port.
    [[nodiscard]] std::vector<std::string> of(const core::Deviation& deviation,
                                              const core::NotificationLog& notifications,
                                              OtherRuns& others) const;

private:
    const std::filesystem::path& root_;
    std::vector<core::Finding> owners_{};
};

}  // namespace cli
