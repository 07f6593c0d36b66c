// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/run/session.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/error.hpp"

namespace cli {

/// What of the text, which can have many lines, is known.
std::vector<core::MetText> known_texts(const std::string& text);

/// Tells what is behind them and, where that was asked, which of it is so on the host.
core::Status explain_texts(Session& session, const std::vector<core::MetText>& met);

/// Reads standard input to its end and explains the known texts in it as explain_texts does, with
/// how often each came. Whatever its size, no more is kept of it than a line for each known text.
/// Throws Error (failed) where it cannot be read.
core::Status explain_input(Session& session);

}  // namespace cli
