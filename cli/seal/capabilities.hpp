// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace cli {

/// A set of capabilities (capabilities(7)): one bit for each CAP_….
using Capabilities = std::uint64_t;

/// The set with this capability alone, a CAP_… of linux/capability.h.
constexpr Capabilities only(unsigned capability) {
    return Capabilities{1} << capability;
}

/// This process's effective capabilities.
Capabilities effective_capabilities();

/// Gives up for good all capabilities not in `kept`, and those that programs started from here
/// would inherit.
void keep_capabilities(Capabilities kept);

/// Empties the bounding set, so that no program started from here gains a capability. Needs
/// CAP_SETPCAP; a process without it has none to pass on.
void empty_bounding_set();

/// The privilege that the process lacks to write to the live host, as a sentence; empty where it
/// lacks none.
std::string lacking_privilege();

/// Gives up for good the capabilities that no write needs, but where a guard is to be started those
/// that it takes to stay. Programs that the user names keep what root can do.
void drop_other_privilege(bool starts_guard = false);

}  // namespace cli
