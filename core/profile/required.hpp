// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/entry.hpp"

namespace core {

/// What is wrong with what the entry requires, which stands at that place: what rocectl sets is
/// required unless it is optional, so that only what it does not set is named, and stated.
void check_required(const Entry& entry, const Place& place, const std::string& pointer,
                    Problems& problems);

}  // namespace core
