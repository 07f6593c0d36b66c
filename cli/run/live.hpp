// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace cli {

/// What a sealed process can still use of its host.
struct Usable {
    netlink::KeptFiles kept{};
    bool devices = true;  ///< RDMA devices can be opened
    core::State told{};   ///< what they told where they cannot
};

/// This host, over every codec there is.
std::unique_ptr<core::Kernel> live_host(const std::filesystem::path& root, Usable usable = {});

}  // namespace cli
