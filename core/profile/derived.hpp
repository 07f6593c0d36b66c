// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/intent.hpp"

namespace core {

/// The settings that follow on a port of the driver, and what should not be there beside them.
Wished derive(const Intent& intent, const Driver& driver);

}  // namespace core
