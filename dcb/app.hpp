// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "netlink/host.hpp"

namespace dcb {

/// The APP table and the trust table among the attributes of the IEEE answer.
std::optional<core::App> decode_app(const netlink::Attributes& ieee);

/// One message for each entry that comes or goes, in the order of core::app_edits, then the trust
/// table where the device has one.
void write_app(netlink::Host& host, const core::Port& now, const core::Port& then);

}  // namespace dcb
