// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/session.hpp"
#include "core/plan/plan.hpp"
#include "core/profile/profile.hpp"

namespace cli {

/// The --state file or the live host. Throws Error.
std::unique_ptr<core::Kernel> open_host(const Session& session);

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
