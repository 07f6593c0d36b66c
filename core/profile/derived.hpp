// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/desired.hpp"
#include "core/profile/intent.hpp"

namespace core {

/// The settings derived from the intent for a port of this driver, and those that should be absent.
/// `lossless` are the priorities with PFC as stated; none of them shares a traffic class with a
/// lossy one.
DesiredValues derive(const Intent& intent, const Driver& driver, const Numbers& lossless = {});

}  // namespace core
