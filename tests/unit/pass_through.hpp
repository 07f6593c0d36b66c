// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/plan/state_file.hpp"

namespace hosts {

/// What happens around the calls of a host.
struct Hooks {
    std::function<void(const core::Scope&)> before_read{};
    std::function<void(core::State&)> after_read{};  ///< may change what is answered
    /// A refusal keeps the write from the host.
    std::function<std::optional<core::Refusal>(const core::Step&)> before_write{};
    std::function<void(const core::Step&)> after_write{};
    std::chrono::milliseconds longest_wait = std::chrono::milliseconds::max();
    /// Without it nobody knows.
    std::function<std::optional<std::set<std::uint32_t>>()> changed_links{};
};

/// A host that the test keeps, or one of its own, with what the test does around its calls.
class PassThrough : public core::Kernel {
public:
    explicit PassThrough(core::Kernel& host, Hooks hooks = {})
        : host_(&host), hooks_(std::move(hooks)) {}
    explicit PassThrough(core::State now, Hooks hooks = {})
        : own_(std::make_unique<core::StateFile>(std::move(now))),
          host_(own_.get()),
          hooks_(std::move(hooks)) {}

    core::State read(const core::Scope& scope) override {
        if (hooks_.before_read) hooks_.before_read(scope);
        core::State state = host_->read(scope);
        if (hooks_.after_read) hooks_.after_read(state);
        return state;
    }
    std::optional<core::Refusal> write(const core::Step& step) override {
        if (hooks_.before_write)
            if (auto refusal = hooks_.before_write(step)) return refusal;
        auto refusal = host_->write(step);
        if (hooks_.after_write) hooks_.after_write(step);
        return refusal;
    }
    /// Its own host, where the test keeps none.
    [[nodiscard]] core::StateFile& own() { return *own_; }
    [[nodiscard]] const core::StateFile& own() const { return *own_; }

    bool has_late_write() override { return host_->has_late_write(); }
    bool wait(const core::Scope& scope, std::chrono::milliseconds time) override {
        return host_->wait(scope, std::min(time, hooks_.longest_wait));
    }
    bool lost() override { return host_->lost(); }
    std::vector<core::Notification> notifications() override { return host_->notifications(); }
    std::optional<std::set<std::uint32_t>> changed_links() override {
        return hooks_.changed_links ? hooks_.changed_links() : std::nullopt;
    }
    std::chrono::milliseconds time() override { return host_->time(); }

private:
    std::unique_ptr<core::StateFile> own_;
    core::Kernel* host_;
    Hooks hooks_;
};

}  // namespace hosts
