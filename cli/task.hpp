// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/session.hpp"
#include "core/plan/plan.hpp"
#include "core/profile/profile.hpp"

namespace cli {

/// The --state file or the live host. Throws Error.
std::unique_ptr<core::Kernel> open_host(const Session& session);

/// The profile that the command names, with what --set gives. Throws Error.
core::Profile read_profile(const Options& options);

/// --vars, else the host's own file where it has one; over either, --set. A --state file is
/// another host, which this one's values do not concern. Throws Error.
core::Variables read_variables(const Options& options);

/// What the profile needs to know to find its ports.
core::State read_inventory(core::Kernel& kernel, const core::Profile& profile);

/// All that a snapshot holds.
core::Objects every_object();

/// What plan, apply and verify have in common: a profile, a host, and the plan between them.
class Task {
public:
    /// Reads the files. Throws Error.
    explicit Task(const Session& session);

    /// Reads the host and plans; again at each call.
    void look();

    [[nodiscard]] core::Kernel& kernel() { return *kernel_; }
    [[nodiscard]] const core::Wishes& wishes() const { return wishes_; }
    [[nodiscard]] const core::Scope& scope() const { return scope_; }
    [[nodiscard]] const core::Plan& plan() const { return plan_; }

private:
    core::Profile profile_;
    core::Variables variables_;
    std::unique_ptr<core::Kernel> kernel_;
    core::Wishes wishes_;
    core::Scope scope_;
    core::Plan plan_;
};

}  // namespace cli
