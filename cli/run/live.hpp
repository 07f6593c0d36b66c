// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace cli {

/// What was asked of the host while it still could be.
struct Prefetched {
    core::Objects objects{};
    std::map<core::Object, core::Refusal> silent{};  ///< of them those without an answer, and why
    core::State state{};                             ///< what was answered
};

/// What a sealed process can still use of its host.
struct Usable {
    netlink::KeptFiles kept{};
    bool devices = true;    ///< RDMA devices can be opened
    bool sealed = false;    ///< what takes a capability is not read
    Prefetched reported{};  ///< what can no longer be asked
};

/// This host, over every codec there is.
std::unique_ptr<core::Kernel> live_host(const std::filesystem::path& root, Usable usable = {});

}  // namespace cli
