// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "netlink/transport/machine.hpp"

namespace dcb {

/// The rewrite table among the attributes of the IEEE answer; nothing before Linux 6.3.
std::optional<core::Rewrite> decode_rewrite(const netlink::Attributes& ieee);

/// One message for each entry that goes or comes, in the order of core::rewrite_edits.
void write_rewrite(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb
