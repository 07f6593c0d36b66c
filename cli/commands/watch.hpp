// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run/session.hpp"
#include "core/doctor/examination.hpp"
#include "core/error.hpp"

namespace cli {

/// doctor --watch: reports events until --window is over or the session is stopped.
core::Status watch_host(const Session& session, core::Kernel& kernel, const core::Inquiry& inquiry);

}  // namespace cli
