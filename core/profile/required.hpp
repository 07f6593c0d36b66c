// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/entry.hpp"

namespace core {

/// Adds problems of the entry's `required`, which stands at `place`. What rocectl sets is required
/// unless optional, so the list may name only facts and what rocectl does not set, and each has to
/// be stated.
void check_required(const Entry& entry, const Place& place, const std::string& pointer,
                    Problems& problems);

}  // namespace core
