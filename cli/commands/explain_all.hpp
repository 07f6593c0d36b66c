// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run/session.hpp"
#include "core/error.hpp"

namespace cli {

/// Writes the page of everything that can be explained. Throws Error (usage) where an operand is
/// given as well.
core::Status explain_all(Session& session);

}  // namespace cli
