// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cli {

/// A set of capabilities (capabilities(7)): bit CAP_… of each.
using Capabilities = std::uint64_t;

/// The set of one. `capability` is a CAP_… of linux/capability.h.
constexpr Capabilities only(unsigned capability) {
    return Capabilities{1} << capability;
}

/// Those that the kernel checks this process against.
Capabilities effective_capabilities();

/// Gives up for good what is not in `kept`, and what a program that it starts would inherit.
void keep_capabilities(Capabilities kept);

/// Makes sure that no program started from here on gets any. Needs CAP_SETPCAP; who lacks it has
/// none to give away.
void empty_bounding_set();

}  // namespace cli
