// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "core/plan/kernel.hpp"
#include "netlink/transport/host_path.hpp"
#include "netlink/transport/machine.hpp"

namespace cli {

/// What was read from the host before the process gave up the rights to read it.
struct Prefetched {
    core::Objects objects{};
    std::map<core::Object, core::Refusal> silent{};  ///< objects that did not answer, and why
    core::State state{};                             ///< the answers
};

/// What a sealed process can still use on its host.
struct Usable {
    netlink::KeptFiles kept{};
    bool devices = true;    ///< RDMA devices can be opened
    bool sealed = false;    ///< values that need a capability are not read
    bool firmware = false;  ///< the firmware of NICs is asked
    Prefetched reported{};  ///< answers to what can no longer be asked
};

/// This host, read and written through all codecs.
std::unique_ptr<core::Kernel> live_host(const netlink::Root& root, Usable usable = {});

}  // namespace cli
