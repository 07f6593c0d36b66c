// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/run/child.hpp"
#include "core/plan/kernel.hpp"

namespace cli {

/// A host whose exchanges each run in a child process for at most `limit`: there is no other way to
/// time out a device that hangs in the kernel. A hanging child is left behind, and dies as soon as
/// the kernel releases it. Readings return as JSON, which holds all values of the fields, with
/// the indices of links. Where no process can be started, exchanges run in this one without a
/// limit: what was written has to go back there too.
class TimedHost final : public core::Kernel {
public:
    using Open = std::function<std::unique_ptr<core::Kernel>()>;
    /// `beat`, where there is one, is called several times a second while a child is waited for.
    TimedHost(Open open, std::chrono::milliseconds limit, std::function<void()> beat = {})
        : open_(std::move(open)), limit_(limit), beat_(std::move(beat)) {}

    /// Throws Error (failed) on a timeout.
    [[nodiscard]] core::State read(const core::Scope& scope) override;
    /// A timeout is a refusal with ETIMEDOUT.
    [[nodiscard]] std::optional<core::Refusal> write(const core::Step& step) override;
    [[nodiscard]] bool has_late_write() override;
    /// Waits in this process, since listening cannot hang.
    [[nodiscard]] bool wait(const core::Scope& scope, std::chrono::milliseconds time) override;
    [[nodiscard]] bool lost() override { return listener_ && listener_->lost(); }
    [[nodiscard]] std::vector<core::Notification> notifications() override {
        return listener_ ? listener_->notifications() : std::vector<core::Notification>{};
    }
    /// Listens in this process, too.
    [[nodiscard]] std::optional<std::set<std::uint32_t>> changed_links() override;
    [[nodiscard]] std::chrono::milliseconds time() override;

private:
    [[nodiscard]] Answer exchange(const std::function<std::string()>& work) const;

    Open open_;
    std::chrono::milliseconds limit_;
    std::function<void()> beat_;
    std::unique_ptr<core::Kernel> listener_;
    std::vector<pid_t> late_{};  ///< children whose write timed out
};

}  // namespace cli
