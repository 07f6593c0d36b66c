// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/run/live.hpp"
#include "core/plan/kernel.hpp"

namespace cli {

/// Gives up for good all capabilities but those that sealing takes (CAP_SETPCAP), that the seal
/// keeps at first (CAP_DAC_READ_SEARCH), and that reading by a child takes (Codec::needs_rights).
/// While a child is asked, this process only waits.
void keep_rights_to_ask();

/// Asks for what only open RDMA devices tell, of every port: by a child process, so that this one
/// loads none of their libraries. Without an answer in time it is not told.
void ask_devices(const std::filesystem::path& root, std::chrono::milliseconds limit,
                 Prefetched& reported);

/// Asks for those of the objects that take a capability: for each by a child process that has that
/// alone.
void ask_with_rights(const std::filesystem::path& root, std::chrono::milliseconds limit,
                     const core::Objects& objects, Prefetched& reported);

/// A host of which this process can no longer ask everything, with what was reported before.
class PrefetchedHost final : public core::Kernel {
public:
    PrefetchedHost(std::unique_ptr<core::Kernel> host, Prefetched reported)
        : host_(std::move(host)), reported_(std::move(reported)) {}

    [[nodiscard]] core::State read(const core::Scope& scope) override;
    [[nodiscard]] std::optional<core::Refusal> write(const core::Step& step) override {
        return host_->write(step);
    }
    [[nodiscard]] bool wait(const core::Scope& scope, std::chrono::milliseconds time) override {
        return host_->wait(scope, time);
    }
    [[nodiscard]] bool lost() override { return host_->lost(); }
    [[nodiscard]] std::vector<core::Notification> notifications() override {
        return host_->notifications();
    }
    [[nodiscard]] std::chrono::milliseconds time() override { return host_->time(); }

private:
    /// The ports of the scope with what says whether they have an RDMA device, where nobody told of
    /// one that the scope asks for.
    core::State find_devices(const core::Scope& scope);

    std::unique_ptr<core::Kernel> host_;
    Prefetched reported_;
};

}  // namespace cli
