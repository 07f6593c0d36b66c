// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/codec.hpp"
#include "netlink/transport/machine.hpp"
#include "netlink/watch.hpp"

namespace netlink {

/// The live host, over a list of codecs, which it reads in their order.
class Live final : public core::Kernel {
public:
    /// `devices` says whether RDMA devices can be opened, `sealed` that what takes a capability is
    /// not read here (Codec::needs_rights), `firmware` that the NICs' is asked
    /// (Codec::asks_firmware).
    Live(Root root, std::span<const Codec> codecs, bool devices = true, bool sealed = false,
         KeptFiles kept = {}, bool firmware = false);
    ~Live() override;

    [[nodiscard]] core::State read(const core::Scope& scope) override;
    [[nodiscard]] std::optional<core::Refusal> write(const core::Step& step) override;
    /// The first call returns at once: what happened before it was not watched.
    [[nodiscard]] bool wait(const core::Scope& scope, std::chrono::milliseconds time) override;
    [[nodiscard]] bool lost() override;
    [[nodiscard]] std::vector<core::Notification> notifications() override;
    [[nodiscard]] std::optional<std::set<std::uint32_t>> changed_links() override;
    [[nodiscard]] std::chrono::milliseconds time() override;

private:
    /// The scope, and what had to be read on the way to it.
    core::State inspect(const core::Scope& asked);
    std::vector<core::Port> others(const core::Scope& scope, const core::State& read);
    /// Those of the host's own objects, or of the ports'.
    void run_codecs(bool of_host, const core::Scope& scope, core::State& state);

    std::unique_ptr<Machine> machine_;
    std::span<const Codec> codecs_;
    bool devices_;
    bool sealed_;
    bool firmware_;
    std::unique_ptr<Watch> watch_;
    std::unique_ptr<LinkWatch> link_watch_;
};

}  // namespace netlink
