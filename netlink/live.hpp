// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"
#include "netlink/watch.hpp"

namespace netlink {

/// One exchange with the kernel that fills several objects of the ports in scope.
struct Source {
    core::Objects fills;
    /// Reads for the ports of `state` (all of them are in scope; what fills the host's objects
    /// gets the host alone). A refusal of one object of one port is recorded in the port, not
    /// thrown.
    void (*read)(Host& host, const core::Scope& scope, core::State& state);
};

/// Sends one object from what is there now to what it should be. Throws KernelError.
struct Writer {
    core::Object object;
    void (*write)(Host& host, const core::Port& now, const core::Port& then);
};

/// The live host, over the sources and writers it is composed from (cli/main.cpp).
class Live final : public core::Kernel {
public:
    Live(std::filesystem::path root, std::vector<Source> sources, std::vector<Writer> writers,
         KeptFiles kept = {});
    ~Live() override;

    [[nodiscard]] core::State read(const core::Scope& scope) override;
    [[nodiscard]] std::optional<core::Refusal> write(const core::Step& step) override;
    /// The first call returns at once: what happened before it was not watched.
    [[nodiscard]] bool wait(const core::Scope& scope, std::chrono::milliseconds time) override;

private:
    /// The scope, and what had to be read on the way to it.
    core::State inspect(const core::Scope& asked);
    /// Those of the host's own objects, or of the ports'.
    void run_sources(bool of_host, const core::Scope& scope, core::State& state);

    std::unique_ptr<Host> host_;
    std::vector<Source> sources_;
    std::vector<Writer> writers_;
    std::unique_ptr<Watch> watch_;
};

}  // namespace netlink
