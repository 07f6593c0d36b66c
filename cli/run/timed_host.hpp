// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"

namespace cli {

/// A host with which every exchange runs in a child process and may take as long as `limit`: a
/// device that hangs in the kernel cannot be waited for in any other way. A child that hangs is
/// left behind, killed as soon as the kernel lets go of it. What was read comes back as JSON, which
/// holds all that the fields hold.
class TimedHost final : public core::Kernel {
public:
    using Open = std::function<std::unique_ptr<core::Kernel>()>;
    TimedHost(Open open, std::chrono::milliseconds limit) : open_(std::move(open)), limit_(limit) {}

    /// Throws Error (failed) where there is no answer in time.
    [[nodiscard]] core::State read(const core::Scope& scope) override;
    /// No answer in time is a refusal with ETIMEDOUT.
    [[nodiscard]] std::optional<core::Refusal> write(const core::Step& step) override;
    [[nodiscard]] bool has_late_write() override;
    /// Listens, which cannot hang, in this process.
    [[nodiscard]] bool wait(const core::Scope& scope, std::chrono::milliseconds time) override;
    [[nodiscard]] bool lost() override { return listener_ && listener_->lost(); }
    [[nodiscard]] std::vector<core::Notification> notifications() override {
        return listener_ ? listener_->notifications() : std::vector<core::Notification>{};
    }
    [[nodiscard]] std::chrono::milliseconds time() override;

private:
    Open open_;
    std::chrono::milliseconds limit_;
    std::unique_ptr<core::Kernel> listener_;
    std::vector<pid_t> late_{};  ///< children that had no answer to a write
};

}  // namespace cli
