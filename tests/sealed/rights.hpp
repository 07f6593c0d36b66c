// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/capability.h>

#include <array>

#include "cli/seal/capabilities.hpp"

namespace sealed {

/// The rights that some reading takes (Codec::needs_rights): each is kept behind a seal, and what
/// it leads out to is tried. A test of the codecs holds that there are no others.
inline constexpr std::array<cli::Capabilities, 3> kRights = {
    cli::only(CAP_SYSLOG), cli::only(CAP_NET_ADMIN),
    cli::only(CAP_SYS_PTRACE) | cli::only(CAP_DAC_READ_SEARCH)};

}  // namespace sealed
