// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/watch_reasons.hpp"

#include "cli/files/lock.hpp"
#include "core/error.hpp"
#include "core/plan/owners.hpp"

namespace cli {

void WatchReasons::ask_for_owners(core::Kernel& kernel, const core::Plan& plan) {
    try {
        owners_ = core::other_owners(plan, kernel.read(core::owner_scope(plan)));
    } catch (const core::Error&) {
        owners_.clear();
    }
}

std::vector<std::string> WatchReasons::of(const core::Deviation& deviation,
                                          const core::NotificationLog& notifications,
                                          OtherRuns& others) const {
    std::vector<std::string> out = notifications.reasons(deviation);
    if (deviation.change)
        for (std::string& line :
             others.writers_of({{.port = deviation.port, .changes = {*deviation.change}}},
                               OtherRuns::Since::lately))
            out.push_back(std::move(line));
    if (const auto holder = other_holder(root_)) out.push_back(text(*holder) + " is at work");
    for (const core::Finding& owner : owners_)
        if (owner.port == deviation.port) out.push_back(owner.text);
    return out;
}

}  // namespace cli
