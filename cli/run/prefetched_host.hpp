// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "cli/run/live.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Gives up all capabilities for good, except those for sealing (CAP_SETPCAP), for reading files
/// until the seal is complete (CAP_DAC_READ_SEARCH), and for reading by a child
/// (Codec::needs_rights). While a child reads, this process only waits.
void keep_rights_to_ask();

/// Reads objects that need an open RDMA device, of every port, in a child process, so that this one
/// loads none of the drivers' libraries. Objects without an answer in time are silent.
void ask_devices(const netlink::Root& root, std::chrono::milliseconds limit, Prefetched& reported);

/// Reads those of `objects` that need a capability, each set of capabilities in a child process
/// that has only that set.
void ask_with_rights(const netlink::Root& root, std::chrono::milliseconds limit,
                     const core::Objects& objects, Prefetched& reported);

/// Reads what only the firmware of NICs tells, in a child process that can do no more than that.
void ask_firmware(const netlink::Root& root, std::chrono::milliseconds limit, Prefetched& reported);

/// A host that this process can no longer read completely, completed by earlier answers.
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
    /// The ports of the scope with the objects that show which of them have an RDMA device, read
    /// only where an object of RDMA devices in the scope is silent.
    core::State find_devices(const core::Scope& scope);

    std::unique_ptr<core::Kernel> host_;
    Prefetched reported_;
};

}  // namespace cli
