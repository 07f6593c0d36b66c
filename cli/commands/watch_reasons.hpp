// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run/healing.hpp"
#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"
#include "core/watch/notification_log.hpp"

namespace cli {

/// Who may be behind a deviation that a watch tells of.
class WatchReasons {
public:
    explicit WatchReasons(const std::filesystem::path& root) : root_(root) {}

    /// Asks who manages the ports that the plan would write. Where that cannot be read, nobody is
    /// known: it is no reason not to tell what differs.
    void ask_for_owners(core::Kernel& kernel, const core::Plan& plan);
    void forget_owners() { owners_.clear(); }

    /// A line for each: what was heard of the port, which other runs of rocectl wrote the value
    /// lately, which of them is at work now, and who manages the port.
    [[nodiscard]] std::vector<std::string> of(const core::Deviation& deviation,
                                              const core::NotificationLog& notifications,
                                              OtherRuns& others) const;

private:
    const std::filesystem::path& root_;
    std::vector<core::Finding> owners_{};
};

}  // namespace cli
