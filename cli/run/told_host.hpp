// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "core/plan/kernel.hpp"

namespace cli {

/// What only open RDMA devices tell, of every port: asked by a child process, so that this one
/// loads none of their libraries. Empty where there is no answer in time.
core::State ask_devices(const std::filesystem::path& root, std::chrono::milliseconds limit);

/// A host whose RDMA devices this process cannot open, with what they told before it gave that up.
class ToldHost final : public core::Kernel {
public:
    ToldHost(std::unique_ptr<core::Kernel> host, core::State told)
        : host_(std::move(host)), told_(std::move(told)) {}

    [[nodiscard]] core::State read(const core::Scope& scope) override;
    [[nodiscard]] std::optional<core::Refusal> write(const core::Step& step) override {
        return host_->write(step);
    }
    [[nodiscard]] bool wait(const core::Scope& scope, std::chrono::milliseconds time) override {
        return host_->wait(scope, time);
    }
    [[nodiscard]] std::chrono::milliseconds time() override { return host_->time(); }

private:
    std::unique_ptr<core::Kernel> host_;
    core::State told_;
};

}  // namespace cli
