// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/desired.hpp"
#include "core/profile/intent.hpp"

namespace core {

/// The settings that follow on a port of the driver, and what should not be there beside them.
/// `lossless` are the priorities with PFC where they are stated: none shares a traffic class with
/// one that may drop.
DesiredValues derive(const Intent& intent, const Driver& driver, const Numbers& lossless = {});

}  // namespace core
